// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// What belongs to a transfer that has ended is let go of soon, whatever else goes on.
@Suite(.timeLimit(.minutes(1)))
struct LettingGoTests {
    private final class Receiver: TransferReceiver {
        private let ends = EventRecorder<Void>()
        private let deinits: EventRecorder<Void>

        init(_ deinits: EventRecorder<Void>) { self.deinits = deinits }
        deinit { deinits.record(()) }

        func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition { .collect(limit: 1 << 20) }
        func transferDidFinish(_ outcome: TransferOutcome) { ends.record(()) }
        func waitForEnd() async throws { _ = try await ends.wait(for: 1) }
    }

    @Test func `a transfer that keeps the loop busy does not keep the receivers of those that have ended`() async throws {
        let server = try TestServer { request in
            request.target == "/endless" ? .repeating(Data(repeating: 0x78, count: 1_000), count: 1 << 40) : .ok("x")
        }
        let transport = CurlTransport()
        let endless = RecordingReceiver(.discard(limit: .max))
        let control = transport.start(HTTPRequest(url: server.url("/endless")), options: TransferOptions(), receiver: endless)
        try await endless.waitForHead()
        let deinits = EventRecorder<Void>()

        for _ in 0..<3 {
            let receiver = Receiver(deinits)
            _ = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
            try await receiver.waitForEnd()
        }

        _ = try await deinits.wait(for: 3)
        #expect(endless.endCount == 0)
        control.cancel()
        #expect(try await endless.exchange().error?.kind == .cancelled)
    }

    @Test func `receivers that start and cancel transfers while they are let go of neither block nor recurse without end`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let transport = CurlTransport()
        let deinits = EventRecorder<Void>()

        final class Starter: TransferReceiver {
            let left: Int
            let url: URL
            let transport: CurlTransport
            let deinits: EventRecorder<Void>
            init(_ left: Int, _ url: URL, _ transport: CurlTransport, _ deinits: EventRecorder<Void>) {
                self.left = left
                self.url = url
                self.transport = transport
                self.deinits = deinits
            }
            deinit {
                deinits.record(())
                guard left > 0 else { return }
                let next = Starter(left - 1, url, transport, deinits)
                let control = transport.start(HTTPRequest(url: url), options: TransferOptions(), receiver: next)
                if left.isMultiple(of: 3) { control.cancel() }
            }
            func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition { .collect(limit: 1 << 20) }
            func transferDidFinish(_ outcome: TransferOutcome) {}
        }
        for _ in 0..<64 {
            let starter = Starter(20, server.url("/"), transport, deinits)
            _ = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: starter)
        }

        _ = try await deinits.wait(for: 64 * 21)
    }
}
#endif
