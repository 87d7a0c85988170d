// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let responses: [TransportScenario] = [
        TransportScenario("a response is a head, its content and an end") { fixture in
            fixture.server.enqueue(.ok("hello", fields: ["X-Field": "value; a=\"b\""]))
            let exchange = fixture.start()
            let outcome = await exchange.outcome()
            #expect(outcome.error == nil)
            #expect(outcome.content == Data("hello".utf8))
            #expect(outcome.bytesReceived == 5)
            let heard = exchange.recorder.snapshot
            #expect(heard.events == [.head(200), .end])
            #expect(heard.head?.value(for: "x-field") == "value; a=\"b\"")
            #expect(heard.head?.value(for: "content-length") == "5")
        },
        TransportScenario("every final status comes through with its content") { fixture in
            for status in [200, 201, 206, 226, 300, 400, 404, 418, 429, 500, 503, 599] {
                fixture.server.enqueue(.status(status, "content"))
                let exchange = fixture.start()
                #expect(await exchange.content() == "content")
                #expect(exchange.recorder.snapshot.head?.status == status)
            }
        },
        TransportScenario("a redirect is not followed but is the response", needs: .unfollowedResponses) { fixture in
            for status in [301, 302, 303, 307, 308] {
                for location in ["/elsewhere", "http://localhost:1/x", "file:///etc/passwd", "//[", ""] {
                    fixture.server.enqueue(.redirect(to: location, status: status))
                    let exchange = fixture.start("POST", body: HTTPBody(Data("body".utf8)))
                    #expect(await exchange.outcome().error == nil)
                    #expect(exchange.recorder.snapshot.head?.status == status)
                    #expect(exchange.recorder.snapshot.head?.value(for: "Location") == location)
                }
            }
            #expect(fixture.server.requestCount == 25)
        },
        TransportScenario("a redirect without a Location is the response", needs: .unfollowedResponses) { fixture in
            fixture.server.enqueue(.status(302))
            let exchange = fixture.start()
            #expect(await exchange.outcome().error == nil)
            #expect(exchange.recorder.snapshot.events == [.head(302), .end])
        },
        TransportScenario("the content of a redirect comes through", needs: .unfollowedResponses) { fixture in
            fixture.server.enqueue(.status(302, fields: ["Location": "/b"], "moved"))
            #expect(await fixture.start().content() == "moved")
        },
        TransportScenario("challenges are not answered but are the response", needs: .unfollowedResponses) { fixture in
            for challenge in ["Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"b\", qop=\"auth\"", "Negotiate", "Bearer", "Basic"] {
                fixture.server.enqueue(.status(401, fields: ["WWW-Authenticate": challenge], "who?"))
                let exchange = fixture.start("POST", body: HTTPBody(Data("body".utf8)))
                #expect(await exchange.content() == "who?")
                #expect(exchange.recorder.snapshot.events == [.head(401), .end])
                #expect(exchange.recorder.snapshot.head?.value(for: "WWW-Authenticate") == challenge)
            }
            fixture.server.enqueue(.status(407, fields: ["Proxy-Authenticate": "Basic realm=\"p\""], "who?"))
            #expect(await fixture.start().content() == "who?")
            #expect(fixture.server.requests.allSatisfy { !$0.fields.contains("Authorization") })
        },
        TransportScenario("204, 304 and answers to HEAD have no content") { fixture in
            fixture.server.enqueue(.noContent, .status(304, fields: ["ETag": "\"a\""]), .ok("not sent to HEAD"))
            for (method, status) in [("GET", 204), ("GET", 304), ("HEAD", 200)] {
                let exchange = fixture.start(method)
                #expect(await exchange.content() == "")
                #expect(exchange.recorder.snapshot.events == [.head(status), .end])
            }
            #expect(fixture.server.connectionCount == 1)
        },
        TransportScenario("content in chunks, and content until the connection closes, arrives whole") { fixture in
            fixture.server.enqueue(
                .chunked(["one ", "two ", "three"]), ScriptedResponse(200, content: .untilClose(Data("until the end".utf8))))
            #expect(await fixture.start().content() == "one two three")
            #expect(await fixture.start().content() == "until the end")
        },
        TransportScenario("interim heads are reported before the final one", needs: .interimHeads) { fixture in
            fixture.server.enqueue(.ok("x").interim(103, fields: ["Link": "</a>"]).interim(102))
            let exchange = fixture.start()
            #expect(await exchange.content() == "x")
            #expect(exchange.recorder.snapshot.events == [.interimHead(103), .interimHead(102), .head(200), .end])
        },
        TransportScenario("interim heads are no final ones") { fixture in
            fixture.server.enqueue(.ok("x").interim(100).interim(103))
            let exchange = fixture.start()
            #expect(await exchange.content() == "x")
            #expect(exchange.recorder.snapshot.head?.status == 200)
        },
        TransportScenario("trailer fields come with the end", needs: .trailers) { fixture in
            fixture.server.enqueue(.chunked(["content"], trailers: ["X-Sum": "7"], fields: ["Trailer": "X-Sum"]))
            let outcome = await fixture.start().outcome()
            #expect(outcome.error == nil)
            #expect(outcome.trailers["x-sum"] == "7")
        },
        TransportScenario("each Set-Cookie field is a value of its own") { fixture in
            let cookies = ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/", "b=2", "c=\"x,y\"; Secure"]
            var response = ScriptedResponse.ok
            for cookie in cookies { response = response.field("Set-Cookie", cookie) }
            fixture.server.enqueue(response)
            let exchange = fixture.start()
            #expect(await exchange.outcome().error == nil)
            #expect(exchange.recorder.snapshot.head?.values(for: "Set-Cookie") == cookies)
        },
        TransportScenario("a content coding is undone") { fixture in
            // “hello hello hello”, gzipped.
            let gzipped = try #require(Data(base64Encoded: "H4sIAAAAAAAC/8tIzcnJV8hAkACAiPnlEQAAAA=="))
            fixture.server.enqueue(.ok(gzipped, fields: ["Content-Encoding": "gzip"]))
            let accepted = try #require(fixture.transport.acceptedContentCodings)
            let exchange = fixture.start(fields: ["Accept-Encoding": accepted], options: TransferOptions(reportsProgress: true))
            #expect(await exchange.content() == "hello hello hello")
            #expect(fixture.server.requests.first?.fields["Accept-Encoding"] == accepted)
            #expect(exchange.recorder.snapshot.progress.allSatisfy { $0.bytesToReceive == nil })
        },
        TransportScenario("a transfer is measured", needs: .metrics) { fixture in
            fixture.server.enqueue(.ok("content"))
            let metrics = try #require(await fixture.start("POST", body: HTTPBody(Data("body".utf8))).outcome().metrics)
            #expect(metrics.contentBytesSent == 4)
            #expect(metrics.contentBytesReceived == 7)
            #expect(metrics.version == .http1_1)
            #expect(metrics.remotePort == fixture.server.port)
            #expect(!metrics.reusedConnection)
            let firstByte = try #require(metrics.firstByte)
            #expect(firstByte <= metrics.total)
        },
    ]
}
