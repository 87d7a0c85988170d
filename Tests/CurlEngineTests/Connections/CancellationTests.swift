// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
struct CancellationTests {
    @Test(arguments: [ExchangePhase.responseStart, .responseHead(10), .responseHeadEnd, .responseBody(3)])
    func `a transfer can be cancelled in every phase`(phase: ExchangePhase) async throws {
        let gate = TestGate()
        let server = try TestServer { _ in ScriptedResponse.ok("content").stalled(by: gate, at: phase) }
        let transport = CurlTransport()
        let receiver = RecordingReceiver(.stream)
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        try await gate.waitForWaiters()

        control.cancel()
        control.cancel()

        #expect(try await receiver.exchange().error?.kind == .cancelled)
        try await server.waitForOpenConnections(atMost: 0)
        #expect(receiver.endCount == 1)
        gate.open()
    }

    @Test func `a transfer that is cancelled at once does not reach the server`() async throws {
        let server = try TestServer { _ in .ok }
        let transport = CurlTransport()
        let receiver = RecordingReceiver()
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        control.cancel()
        let exchange = try await receiver.exchange()
        #expect(exchange.error?.kind == .cancelled || exchange.status == 200)
        #expect(receiver.endCount == 1)
    }

    @Test func `after the end every call does nothing`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let receiver = RecordingReceiver()
        let transport = CurlTransport()
        let control = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        _ = try await receiver.exchange()

        control.suspend()
        control.decide(.cancel)
        control.requestMoreContent()
        control.resume()
        control.cancel()
        _ = try await transport.get(server.url("/"))

        #expect(receiver.names == ["head 200", "end well"])
    }

    @Test func `a receiver may steer its transfer from within its own calls`() async throws {
        let server = try TestServer { _ in .repeating(Data("x".utf8), count: 1_000_000) }
        let transport = CurlTransport()
        let control = Locked<(any TransferControl)?>(nil)
        let receiver = RecordingReceiver(
            { _ in
                control.withLock { $0 }?.cancel()
                return .stream
            }, demand: { _ in .pause })
        let started = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        control.withLock { $0 = started }
        try await receiver.waitForHead()
        started.cancel()
        #expect(try await receiver.exchange().error?.kind == .cancelled)
    }

    /// What may happen to a transfer from outside, at a moment that the seed decides.
    @Test(arguments: Seeds.kept + Seeds.fresh(count: 3))
    func `whatever races, each transfer ends exactly once and nothing is left`(seed: UInt64) async throws {
        let server = try TestServer { request in
            switch request.number % 5 {
            case 0: .repeating(Data("x".utf8), count: 100_000)
            case 1: ScriptedResponse.chunked(["one", "two", "three"])
            case 2: ScriptedResponse.ok("cut off").reset(at: .responseBody(3))
            case 3: ScriptedResponse.ok("x").interim(103)
            default: .ok("hello")
            }
        }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 8 }
        var random = SeededGenerator(seed: seed)
        let dispositions: [ContentDisposition] = [.collect(limit: 1 << 20), .stream, .discard(limit: 100), .wait, .cancel]

        let receivers = try await withLeakCheck(transport.leakCounters) {
            var receivers: [RecordingReceiver] = []
            for _ in 0..<200 {
                let disposition = dispositions[Int.random(in: 0..<dispositions.count, using: &random)]
                let pauses = Bool.random(using: &random)
                let receiver = RecordingReceiver({ _ in disposition }, demand: { _ in pauses ? .pause : .more })
                var request = HTTPRequest(url: server.url("/"))
                if Bool.random(using: &random) {
                    request.method = "POST"
                    request.body = HTTPBody(Data(count: Int.random(in: 0..<60_000, using: &random)))
                }
                let control = transport.start(request, options: TransferOptions(), receiver: receiver)
                receivers.append(receiver)
                let steps = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                    (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<30, using: &random))
                }
                Task {
                    for (step, yields) in steps {
                        for _ in 0..<yields { await Task.yield() }
                        switch step {
                        case 0: control.suspend()
                        case 1: control.resume()
                        case 2: control.requestMoreContent()
                        case 3: control.decide(.collect(limit: 10_000_000))
                        default: control.cancel()
                        }
                    }
                    control.resume()
                    // A receiver that always pauses is asked after each event until the end comes.
                    var seen = 0
                    while receiver.endCount == 0 {
                        control.requestMoreContent()
                        control.decide(.stream)
                        seen = try await receiver.recorder.wait(for: seen + 1).count
                    }
                }
                if Int.random(in: 0..<4, using: &random) == 0 { await Task.yield() }
            }
            for receiver in receivers { _ = try await receiver.exchange() }
            return receivers
        }

        // One more exchange: whatever the loop still had to say of the others, it has said by then.
        _ = try await transport.get(server.url("/"))
        #expect(receivers.allSatisfy { $0.endCount == 1 })
        #expect(receivers.allSatisfy { if case .end = $0.recorder.events.last { true } else { false } })
    }
}
#endif
