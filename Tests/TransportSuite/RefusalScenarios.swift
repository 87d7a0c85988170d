// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let refusals: [TransportScenario] = [
        TransportScenario("a request that must not be sent fails with its reason, and nothing is sent") { fixture in
            let url = fixture.server.url()
            let file = try #require(URL(string: "file:///etc/passwd"))
            let requests: [(HTTPRequest, HTTPError.Kind)] = [
                (HTTPRequest(url: file), .unsupportedScheme),
                (HTTPRequest(url: try #require(URL(string: "ftp://127.0.0.1/"))), .unsupportedScheme),
                (HTTPRequest(url: try #require(URL(string: "relative"))), .unsupportedScheme),
                (HTTPRequest(method: "GET /", url: url), .invalidMethod),
                (HTTPRequest(method: "", url: url), .invalidMethod),
                (HTTPRequest(url: url, fields: ["X": "a\r\nY: b"]), .invalidField),
                (HTTPRequest(url: url, fields: ["X": "a\0b"]), .invalidField),
                (HTTPRequest(url: url, fields: ["X\n": "a"]), .invalidField),
                (HTTPRequest(url: url, fields: ["X:": "a"]), .invalidField),
                (HTTPRequest(url: url, fields: ["": "a"]), .invalidField),
            ]
            for (request, kind) in requests { #expect(await fixture.start(request).failure() == kind) }
            #expect(fixture.server.connectionCount == 0)
        },
        TransportScenario("the receiver is not called before start returns") { fixture in
            let url = try #require(URL(string: "file:///"))
            let receiver = EndReceiver()
            let wasCalledWithin = receiver.isCalledWithin {
                _ = fixture.transport.start(HTTPRequest(url: url), options: TransferOptions(), receiver: receiver)
            }
            #expect(!wasCalledWithin)
            #expect(await receiver.recorder.outcome().error?.kind == .unsupportedScheme)
        },
        TransportScenario("errors hold no secret of the URL or the fields") { fixture in
            let unused = try UnusedPort()
            let port = unused.number
            let url = try #require(URL(string: "http://user:hunter2@127.0.0.1:\(port)/path?token=hunter2"))
            let outcome = await fixture.start(HTTPRequest(url: url, fields: ["Authorization": "Bearer hunter2"])).outcome()
            let error = try #require(outcome.error)
            #expect(!error.description.contains("hunter2"))
            #expect(error.attempt == "GET http://127.0.0.1:\(port)/path?…")
            withExtendedLifetime(unused) {}
        },
    ]
}

/// Sees whether the end comes on the thread that starts the transfer, while it does.
private final class EndReceiver: TransferReceiver {
    let recorder = TransferRecorder()
    private let state = Locked((startingThread: nil as pthread_t?, wasCalledWithin: false))

    func isCalledWithin(_ start: () -> Void) -> Bool {
        state.withLock { $0.startingThread = pthread_self() }
        start()
        return state.withLock { state in
            state.startingThread = nil
            return state.wasCalledWithin
        }
    }

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition { .cancel }

    func transferDidFinish(_ outcome: TransferOutcome) {
        state.withLock { state in
            if let thread = state.startingThread, pthread_equal(pthread_self(), thread) != 0 { state.wasCalledWithin = true }
        }
        recorder.transferDidFinish(outcome)
    }
}
