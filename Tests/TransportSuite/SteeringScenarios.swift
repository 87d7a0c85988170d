// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let steering: [TransportScenario] = [
        TransportScenario("a suspended transfer brings nothing until it is resumed") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("content").stalled(by: gate))
            let exchange = fixture.start()
            try await gate.waitForWaiters()
            // What sent the request might read the response in the same breath; once another transfer has ended it is past that.
            fixture.server.enqueue(.ok("another"))
            #expect(await fixture.start().content() == "another")
            exchange.control.suspend()
            exchange.control.suspend()
            gate.open()
            // A second transfer that ends shows that the transport goes on meanwhile.
            fixture.server.enqueue(.ok("other"))
            #expect(await fixture.start().content() == "other")
            #expect(exchange.recorder.snapshot.events == [])
            exchange.control.resume()
            #expect(await exchange.content() == "content")
        },
        TransportScenario("a suspended transfer can be cancelled") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("content").stalled(by: gate))
            let exchange = fixture.start()
            try await gate.waitForWaiters()
            exchange.control.suspend()
            exchange.control.cancel()
            #expect(await exchange.failure() == .cancelled)
            gate.open()
        },
        TransportScenario("suspending and resuming in quick turns loses nothing") { fixture in
            let server = try TestServer { _ in .ok(pattern(50_000)) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let exchange = fixture.start(HTTPRequest(url: server.url()))
                        for _ in 0..<50 {
                            exchange.control.suspend()
                            await Task.yield()
                            exchange.control.resume()
                        }
                        let outcome = await exchange.outcome()
                        #expect(outcome.error == nil)
                        #expect(outcome.content == pattern(50_000))
                    }
                }
            }
            #expect(server.requestCount == 10, "no request was sent twice")
            server.close()
        },
        TransportScenario("the idle limit stands still in a suspended transfer") { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.ok("content").stalled(by: gate))
            let exchange = fixture.start(options: TransferOptions(timeouts: Timeouts(idle: .seconds(1))))
            exchange.control.suspend()
            let stalled = TestGate()
            let server = try TestServer { _ in .ok.stalled(by: stalled) }
            let clock = fixture.start(
                HTTPRequest(url: server.url()), options: TransferOptions(timeouts: Timeouts(idle: .seconds(2))))
            #expect(await clock.failure() == .idleTimedOut)
            gate.open()
            exchange.control.resume()
            #expect(await exchange.content() == "content")
            stalled.open()
            server.close()
        },
        TransportScenario("a receiver that pauses gets the rest when it asks") { fixture in
            fixture.server.enqueue(.ok(pattern(300_000)))
            let exchange = fixture.start(recorder: TransferRecorder(.stream) { _ in .pause })
            let recorder = exchange.recorder
            while recorder.snapshot.outcome == nil {
                let count = recorder.snapshot.events.count
                exchange.control.requestMoreContent()
                await recorder.wait { $0.events.count > count || $0.outcome != nil }
            }
            #expect(await exchange.outcome().error == nil)
            #expect(recorder.snapshot.content == pattern(300_000))
        },
        TransportScenario("a receiver that pauses stops the server", needs: .backPressure) { fixture in
            fixture.server.enqueue(.repeating(pattern(64_000), count: 96 << 20))
            let paused = Locked(false)
            let recorder = TransferRecorder(.stream) { _ in paused.withLock { $0 } ? .more : .pause }
            let exchange = fixture.start(recorder: recorder)
            try await fixture.server.waitForStalledResponse()
            #expect(recorder.snapshot.content.count < 16 << 20)
            paused.withLock { $0 = true }
            exchange.control.requestMoreContent()
            let outcome = await exchange.outcome()
            #expect(outcome.error == nil)
            #expect(outcome.bytesReceived == 96 << 20)
        },
        TransportScenario("a suspended transfer stops the server", needs: .suspension) { fixture in
            let gate = TestGate()
            fixture.server.enqueue(.repeating(pattern(64_000), count: 96 << 20).stalled(by: gate, at: .responseBody(1000)))
            let exchange = fixture.start(recorder: TransferRecorder(.stream))
            await exchange.recorder.waitForHead()
            try await gate.waitForWaiters()
            exchange.control.suspend()
            gate.open()
            try await fixture.server.waitForStalledResponse()
            exchange.control.resume()
            let outcome = await exchange.outcome()
            #expect(outcome.error == nil)
            #expect(outcome.bytesReceived == 96 << 20)
        },
    ]
}
