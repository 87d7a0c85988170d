// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let cancelling: [TransportScenario] = [
        TransportScenario("cancelling at once ends the transfer as cancelled") { fixture in
            let gate = TestGate()
            let server = try TestServer { _ in .ok("x").stalled(by: gate) }
            for _ in 0..<20 {
                let exchange = fixture.start(HTTPRequest(url: server.url()))
                exchange.control.cancel()
                exchange.control.cancel()
                #expect(await exchange.failure() == .cancelled)
            }
            gate.open()
            server.close()
        },
        TransportScenario("cancelling works in each phase") { fixture in
            let phases: [ExchangePhase] = [
                .requestHead, .requestBody(20_000), .responseStart, .responseHead(10), .responseHeadEnd, .responseBody(50_000),
            ]
            for phase in phases {
                let gate = TestGate()
                let server = try TestServer(
                    TestServer.Configuration {
                        $0.receiveBufferSize = 16_384
                        $0.answersHead = { _ in .ok(pattern(100_000)).stalled(by: gate, at: phase) }
                    })
                let exchange = fixture.start(
                    HTTPRequest(method: "POST", url: server.url(), body: HTTPBody(pattern(200_000))),
                    recorder: TransferRecorder(.stream))
                try await gate.waitForWaiters()
                exchange.control.cancel()
                #expect(await exchange.failure() == .cancelled, "cancelled while stalled at \(phase)")
                gate.open()
                server.close()
            }
        },
        TransportScenario("cancelling closes the connection that was in use") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("x").stalled(by: gate))
            let exchange = fixture.start()
            try await gate.waitForWaiters()
            exchange.control.cancel()
            #expect(await exchange.failure() == .cancelled)
            try await fixture.server.waitForOpenConnections(atMost: 0)
            gate.open()
        },
        TransportScenario("cancelling from within the receiver works") { fixture in
            fixture.server.enqueue(.ok(pattern(1 << 20)))
            let control = Locked<(any TransferControl)?>(nil)
            let recorder = TransferRecorder(.stream) { _ in
                control.withLock { $0 }?.cancel()
                return .more
            }
            let exchange = fixture.start("GET", recorder: recorder)
            control.withLock { $0 = exchange.control }
            let error = await exchange.outcome().error
            #expect(error == nil || error?.kind == .cancelled)
            #expect(recorder.snapshot.events.last == .end)
            control.withLock { $0 = nil }
        },
        TransportScenario("orders after the end do nothing") { fixture in
            fixture.server.enqueue(.ok("x"))
            let exchange = fixture.start()
            #expect(await exchange.content() == "x")
            exchange.control.cancel()
            exchange.control.suspend()
            exchange.control.resume()
            exchange.control.decide(.stream)
            exchange.control.requestMoreContent()
            fixture.server.enqueue(.ok("y"))
            #expect(await fixture.start().content() == "y")
            #expect(exchange.recorder.snapshot.events == [.head(200), .end])
        },
        TransportScenario("transfers that are cancelled at any moment each end once") { fixture in
            let server = try TestServer { _ in .ok(pattern(20_000)) }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let exchange = fixture.start(HTTPRequest(url: server.url("/\(number)")))
                        for _ in 0..<(number % 25) { await Task.yield() }
                        if number % 5 == 4 { await exchange.recorder.waitForHead() }
                        exchange.control.cancel()
                        let error = await exchange.outcome().error
                        #expect(error == nil || error?.kind == .cancelled)
                    }
                }
            }
            server.close()
        },
        TransportScenario("redirects and challenges that are cancelled at any moment each end once") { fixture in
            let server = try TestServer { request in
                request.path == "/redirect"
                    ? .redirect(to: "/") : .status(401, fields: ["WWW-Authenticate": "Basic realm=\"a\""], "who?")
            }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let exchange = fixture.start(HTTPRequest(url: server.url(number % 2 == 0 ? "/redirect" : "/challenge")))
                        for _ in 0..<(number * 7 % 60) { await Task.yield() }
                        exchange.control.cancel()
                        let error = await exchange.outcome().error
                        #expect(error == nil || error?.kind == .cancelled)
                    }
                }
            }
            server.close()
        },
        TransportScenario("cancelling stops a body that is being made") { fixture in
            let chunks = EndlessChunks()
            let server = try TestServer { _ in .ok }
            let body = HTTPBody(length: nil, replay: .once) { chunks }
            let exchange = fixture.start(HTTPRequest(method: "POST", url: server.url(), body: body))
            try await chunks.wasAsked.pass()
            exchange.control.cancel()
            #expect(await exchange.failure() == .cancelled)
            try await chunks.wasCancelled.pass()
            server.close()
        },
        TransportScenario("shutting down refuses new transfers and lets those under way end") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("x").stalled(by: gate))
            let underWay = fixture.start()
            try await gate.waitForWaiters()
            fixture.transport.shutDown(cancellingTransfers: false)
            #expect(await fixture.start().failure() == .shutDown)
            gate.open()
            #expect(await underWay.content() == "x")
        },
        TransportScenario("shutting down can cancel what is under way") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("x").stalled(by: gate))
            let underWay = fixture.start()
            try await gate.waitForWaiters()
            fixture.transport.shutDown(cancellingTransfers: true)
            fixture.transport.shutDown(cancellingTransfers: true)
            #expect(await underWay.failure() == .cancelled)
            gate.open()
        },
    ]
}

/// A body whose first chunk never comes.
private final class EndlessChunks: HTTPBodyChunks {
    let wasAsked = TestGate()
    let wasCancelled = TestGate()

    func nextChunk(completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) { wasAsked.open() }
    func cancel() { wasCancelled.open() }
}
