// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let timeLimits: [TransportScenario] = [
        TransportScenario("a server that says nothing ends in the idle limit, whatever the phase") { fixture in
            for phase in [ExchangePhase.responseStart, .responseHead(10), .responseHeadEnd, .responseBody(5)] {
                let gate = TestGate()
                let server = try TestServer { _ in .ok("hello world").stalled(by: gate, at: phase) }
                let options = TransferOptions(timeouts: Timeouts(idle: .milliseconds(100)))
                let exchange = fixture.start(HTTPRequest(url: server.url()), options: options)
                #expect(await exchange.failure() == .idleTimedOut, "stalled at \(phase)")
                gate.open()
                server.close()
            }
        },
        TransportScenario("a server that reads nothing ends in the idle limit") { fixture in
            let gate = TestGate()
            let server = try TestServer(
                TestServer.Configuration {
                    $0.receiveBufferSize = 16_384
                    $0.answersHead = { _ in .ok.stalled(by: gate, at: .requestHead) }
                })
            let request = HTTPRequest(method: "POST", url: server.url(), body: HTTPBody(pattern(12 << 20)))
            let exchange = fixture.start(request, options: TransferOptions(timeouts: Timeouts(idle: .milliseconds(300))))
            #expect(await exchange.failure() == .idleTimedOut)
            gate.open()
            server.close()
        },
        TransportScenario("a response that trickles ends in the resource limit, not in the idle one") { fixture in
            let gate = TestGate()
            var response = ScriptedResponse.repeating(pattern(1000), count: 1 << 40).trickled(by: gate, pieceSize: 10)
            response.pacesHead = false
            let server = try TestServer { [response] _ in response }
            let options = TransferOptions(timeouts: Timeouts(idle: .seconds(30), resource: .seconds(3)))
            // Each piece lets the next one through, so there is always one on its way.
            let recorder = TransferRecorder(.stream) { _ in
                gate.release()
                return .more
            }
            gate.release()
            let exchange = fixture.start(HTTPRequest(url: server.url()), options: options, recorder: recorder)
            let outcome = await exchange.outcome()
            #expect(outcome.error?.kind == .resourceTimedOut)
            #expect(outcome.bytesReceived > 0)
            gate.open()
            server.close()
        },
        TransportScenario("the idle limit starts anew with every piece") { fixture in
            let server = try TestServer { _ in
                .ok(pattern(4000)).throttled(pieceSize: 250, pause: .milliseconds(350), clock: ContinuousClock())
            }
            let options = TransferOptions(timeouts: Timeouts(idle: .seconds(5)))
            let exchange = fixture.start(HTTPRequest(url: server.url()), options: options)
            let outcome = await exchange.outcome()
            #expect(outcome.error == nil)
            #expect(outcome.content == pattern(4000))
            server.close()
        },
        TransportScenario("no limit is no limit") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("x").stalled(by: gate))
            let exchange = fixture.start(options: TransferOptions(timeouts: Timeouts(idle: nil, resource: nil)))
            try await gate.waitForWaiters()
            gate.open()
            #expect(await exchange.content() == "x")
        },
        TransportScenario("connecting has a limit of its own", needs: .connectTimeout) { fixture in
            fixture.server.enqueue(.ok("x"))
            let exchange = fixture.start(options: TransferOptions(timeouts: Timeouts(connect: .seconds(30))))
            #expect(await exchange.content() == "x")
        },
        TransportScenario("the idle limit stands still while the receiver makes up its mind") { fixture in
            fixture.server.enqueue(.ok("content"))
            let options = TransferOptions(timeouts: Timeouts(idle: .seconds(1), resource: nil))
            let exchange = fixture.start(options: options, recorder: TransferRecorder(.wait))
            await exchange.recorder.waitForHead()
            // Another transfer's limit, started later and twice as long, says that the time has passed.
            let gate = TestGate()
            let server = try TestServer { _ in .ok.stalled(by: gate) }
            let clock = fixture.start(
                HTTPRequest(url: server.url()), options: TransferOptions(timeouts: Timeouts(idle: .seconds(2))))
            #expect(await clock.failure() == .idleTimedOut)
            exchange.control.decide(.collect(limit: 100))
            #expect(await exchange.content() == "content")
            gate.open()
            server.close()
        },
    ]
}
