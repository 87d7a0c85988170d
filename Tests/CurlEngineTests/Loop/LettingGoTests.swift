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
        private let owned: (any Sendable)?

        init(_ deinits: EventRecorder<Void>, _ owned: (any Sendable)? = nil) {
            self.deinits = deinits
            self.owned = owned
        }
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

    @Test func `nothing of an earlier transfer's caller is let go of within a call that starts another`() async throws {
        final class Owned: Sendable {
            static let key = "starts a transfer"
            let counts: Locked<(all: Int, withinStart: Int)>
            init(_ counts: Locked<(all: Int, withinStart: Int)>) { self.counts = counts }
            deinit {
                let isWithinStart = Thread.current.threadDictionary[Self.key] != nil
                counts.withLock { counts in
                    counts.all += 1
                    if isWithinStart { counts.withinStart += 1 }
                }
            }
        }
        final class Chunks: HTTPBodyChunks {
            let owned: Owned
            init(_ owned: Owned) { self.owned = owned }
            func nextChunk(completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) { completion(.success(nil)) }
            func cancel() {}
        }
        let server = try TestServer { _ in .ok("x") }
        let transport = CurlTransport()
        let deinits = EventRecorder<Void>()
        let counts = Locked((all: 0, withinStart: 0))

        for count in 1...100 {
            let receiver = Receiver(deinits, Owned(counts))
            let body = HTTPBody(length: 0, replay: .once) { [owned = Owned(counts)] in Chunks(owned) }
            let request = HTTPRequest(method: "PUT", url: server.url("/"), body: body)
            func start() {
                Thread.current.threadDictionary[Owned.key] = true
                _ = transport.start(request, options: TransferOptions(), receiver: receiver)
                Thread.current.threadDictionary[Owned.key] = nil
            }
            start()
            try await receiver.waitForEnd()
            if count == 100 { transport.shutDown(cancellingTransfers: false) }
        }

        _ = try await deinits.wait(for: 100)
        #expect(counts.withLock { $0.withinStart } == 0)
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
