// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let dispositions: [TransportScenario] = [
        TransportScenario("content is collected up to a limit, and one byte more is an error") { fixture in
            fixture.server.enqueue(.ok(pattern(1000)), .ok(pattern(1001)))
            let within = await fixture.start(recorder: TransferRecorder(.collect(limit: 1000))).outcome()
            let beyond = await fixture.start(recorder: TransferRecorder(.collect(limit: 1000))).outcome()
            #expect(within.error == nil)
            #expect(within.content == pattern(1000))
            #expect(beyond.error?.kind == .contentTooLarge)
            #expect(beyond.content.count <= 1000)
        },
        TransportScenario("content is streamed in order") { fixture in
            fixture.server.enqueue(.ok(pattern(500_000)))
            let exchange = fixture.start(recorder: TransferRecorder(.stream))
            let outcome = await exchange.outcome()
            #expect(outcome.error == nil)
            #expect(outcome.content.isEmpty)
            #expect(outcome.bytesReceived == 500_000)
            #expect(exchange.recorder.snapshot.content == pattern(500_000))
        },
        TransportScenario("content goes into a file, which is emptied before, or appended to") { fixture in
            try await withTemporaryFile(Data("old ".utf8)) { file in
                fixture.server.enqueue(.ok("second"), .ok("new"))
                _ = await fixture.start(recorder: TransferRecorder(.file(file, appending: true))).outcome()
                let appended = try Data(contentsOf: file)
                #expect(appended == Data("old second".utf8))
                let outcome = await fixture.start(recorder: TransferRecorder(.file(file, appending: false))).outcome()
                #expect(outcome.error == nil)
                #expect(outcome.bytesReceived == 3)
                let replaced = try Data(contentsOf: file)
                #expect(replaced == Data("new".utf8))
            }
        },
        TransportScenario("a file is made if it is not there, also for no content") { fixture in
            try await withTemporaryDirectory { directory in
                let file = directory.appendingPathComponent("new file")
                fixture.server.enqueue(.ok)
                #expect(await fixture.start(recorder: TransferRecorder(.file(file, appending: false))).outcome().error == nil)
                let content = try Data(contentsOf: file)
                #expect(content.isEmpty)
            }
        },
        TransportScenario("a file that cannot be written is an error at once") { fixture in
            try await withTemporaryDirectory { directory in
                let gate = TestGate()
                let server = try TestServer { _ in .ok("content").stalled(by: gate, at: .responseHeadEnd) }
                for file in [directory, directory.appendingPathComponent("missing/file")] {
                    let exchange = fixture.start(
                        HTTPRequest(url: server.url()), recorder: TransferRecorder(.file(file, appending: false)))
                    #expect(await exchange.failure() == .destinationNotWritable)
                }
                gate.open()
                server.close()
            }
        },
        TransportScenario("content is discarded, and beyond a limit ends the transfer without an error") { fixture in
            let gate = TestGate()
            let server = try TestServer { request in
                request.path == "/short"
                    ? .ok("short") : .ok(pattern(200_000)).stalled(by: gate, at: .responseBody(100_000))
            }
            let short = await fixture.start(HTTPRequest(url: server.url("/short")), recorder: TransferRecorder(.discard(limit: 1000)))
                .outcome()
            let long = await fixture.start(HTTPRequest(url: server.url("/long")), recorder: TransferRecorder(.discard(limit: 1000)))
                .outcome()
            #expect(short.error == nil)
            #expect(long.error == nil)
            #expect(short.content.isEmpty && long.content.isEmpty)
            gate.open()
            server.close()
        },
        TransportScenario("the receiver may decide later, and nothing is lost meanwhile") { fixture in
            fixture.server.enqueue(.ok(pattern(100_000)))
            let exchange = fixture.start(recorder: TransferRecorder(.wait))
            await exchange.recorder.waitForHead()
            #expect(exchange.recorder.snapshot.events == [.head(200)])
            exchange.control.decide(.collect(limit: 200_000))
            let outcome = await exchange.outcome()
            #expect(outcome.error == nil)
            #expect(outcome.content == pattern(100_000))
        },
        TransportScenario("a late decision may be to cancel") { fixture in
            fixture.server.enqueue(.ok(pattern(100_000)))
            let exchange = fixture.start(recorder: TransferRecorder(.wait))
            await exchange.recorder.waitForHead()
            exchange.control.decide(.cancel)
            #expect(await exchange.failure() == .cancelled)
        },
        TransportScenario("the receiver may cancel by its answer to the head") { fixture in
            fixture.server.enqueue(.ok("content"))
            let exchange = fixture.start(recorder: TransferRecorder(.cancel))
            #expect(await exchange.failure() == .cancelled)
            #expect(exchange.recorder.snapshot.events == [.head(200), .end])
        },
        TransportScenario("the answer to the head may depend on it") { fixture in
            fixture.server.enqueue(.status(404, "an error"))
            let recorder = TransferRecorder(decidingByHead: { $0.status == 200 ? .cancel : .collect(limit: 100) })
            #expect(await fixture.start(recorder: recorder).content() == "an error")
        },
    ]
}
