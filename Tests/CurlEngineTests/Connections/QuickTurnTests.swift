// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// Transfers that are suspended and resumed in quick turns before their connection stands.
@Suite(.timeLimit(.minutes(1)))
struct QuickTurnTests {
    /// Runs `action` on the loop's thread, so that the loop finds all that is asked for there at once.
    private func onLoop(_ transport: CurlTransport, _ server: TestServer, _ action: @escaping @Sendable () -> Void) async throws {
        let receiver = RecordingReceiver { _ in
            action()
            return .discard(limit: 100)
        }
        _ = transport.start(HTTPRequest(url: server.url("/first")), options: TransferOptions(), receiver: receiver)
        _ = try await receiver.exchange()
    }

    @Test(arguments: [1, 100])
    func `a transfer that is resumed at once keeps its turn`(turns: Int) async throws {
        let server = try TestServer { _ in .ok }
        let other = try TestServer { _ in .ok }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        let receivers = [RecordingReceiver(), RecordingReceiver()]

        try await onLoop(transport, other) {
            let controls = zip(["/a", "/b"], receivers).map { target, receiver in
                transport.start(HTTPRequest(url: server.url(target)), options: TransferOptions(), receiver: receiver)
            }
            for _ in 0..<turns {
                for control in controls { control.suspend() }
                for control in controls { control.resume() }
            }
        }
        for receiver in receivers { #expect(try await receiver.exchange().status == 200) }

        #expect(server.requests.map(\.target) == ["/a", "/b"])
        #expect(server.connectionCount == 1)
    }

    @Test func `a transfer that is resumed and suspended at once does not read`() async throws {
        let gate = TestGate()
        let fields: FieldList = ["X-One": "1", "X-Two": "2", "X-Three": "3"]
        let server = try TestServer { _ in .chunked(["hello", ", ", "world"], trailers: ["X-Last": "4"], fields: fields).stalled(by: gate) }
        let other = try TestServer { _ in .ok }
        let transport = CurlTransport()
        let receiver = RecordingReceiver()
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        try await gate.waitForWaiters()

        // The response arrives while the transfer is suspended.
        control.suspend()
        try await onLoop(transport, other) {}
        gate.open()
        while server.requests.first?.responseByteCount ?? 0 == 0 { await Task.yield() }
        for _ in 0..<10 {
            try await onLoop(transport, other) {
                control.resume()
                control.suspend()
            }
        }
        #expect(receiver.names.isEmpty)
        control.resume()

        let exchange = try await receiver.exchange()
        #expect(exchange.status == 200)
        #expect(exchange.head?.fields["X-Three"] == "3")
        #expect(exchange.text == "hello, world")
        #expect(exchange.outcome.trailers["X-Last"] == "4")
    }

    @Test func `a transfer that stays suspended lets others pass, and can be cancelled or resumed`() async throws {
        let server = try TestServer { _ in .ok }
        let other = try TestServer { _ in .ok }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        let receivers = [RecordingReceiver(), RecordingReceiver(), RecordingReceiver()]
        let held = Locked<[any TransferControl]>([])

        try await onLoop(transport, other) {
            let controls = zip(["/a", "/b", "/c"], receivers).map { target, receiver in
                transport.start(HTTPRequest(url: server.url(target)), options: TransferOptions(), receiver: receiver)
            }
            for control in controls[..<2] {
                control.suspend()
                control.resume()
                control.suspend()
            }
            held.withLock { $0 = controls }
        }
        #expect(try await receivers[2].exchange().status == 200)
        held.withLock { $0[0] }.cancel()
        held.withLock { $0[1] }.resume()

        #expect(try await receivers[0].exchange().error?.kind == .cancelled)
        #expect(try await receivers[1].exchange().status == 200)
        #expect(server.requests.map(\.target) == ["/c", "/b"])
    }
}
#endif
