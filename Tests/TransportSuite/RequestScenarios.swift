// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let requests: [TransportScenario] = [
        TransportScenario("a method, a target and fields arrive as they were given") { fixture in
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
                fixture.server.enqueue(.ok)
                let exchange = fixture.start(method, "/a%20b/c?d=e%2Ff&g", fields: ["X-One": "1", "X-Two": "zwei; drei=\"4\""])
                #expect(await exchange.outcome().error == nil)
                let request = try #require(fixture.server.requests.last)
                #expect(request.method == method)
                #expect(request.target == "/a%20b/c?d=e%2Ff&g")
                #expect(request.fields["X-One"] == "1")
                #expect(request.fields["X-Two"] == "zwei; drei=\"4\"")
                #expect(request.fields["Host"] == "127.0.0.1:\(fixture.server.port)")
            }
        },
        TransportScenario("any token is a method, and repeated fields stay apart", needs: .arbitraryRequests) { fixture in
            fixture.server.enqueue(.ok, .ok)
            _ = await fixture.start("get", fields: ["X": "1", "X": "2", "x": "3", "Empty": ""]).outcome()
            _ = await fixture.start("M-SEARCH!").outcome()
            #expect(fixture.server.requests.map(\.method) == ["get", "M-SEARCH!"])
            #expect(fixture.server.requests[0].fields.values("X") == ["1", "2", "3"])
            #expect(fixture.server.requests[0].fields.contains("Empty"))
        },
        TransportScenario("user information and fragment of the URL are not sent") { fixture in
            fixture.server.enqueue(.ok)
            let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(fixture.server.port)/path?query#fragment"))
            let outcome = await fixture.start(HTTPRequest(url: url)).outcome()
            #expect(outcome.error == nil)
            let request = try #require(fixture.server.requests.first)
            #expect(request.target == "/path?query")
            #expect(!request.fields.contains("Authorization"))
        },
        TransportScenario("a scheme in capitals is the same scheme") { fixture in
            fixture.server.enqueue(.ok("x"))
            let url = try #require(URL(string: "HTTP://127.0.0.1:\(fixture.server.port)/"))
            #expect(await fixture.start(HTTPRequest(url: url)).content() == "x")
        },
        TransportScenario("cookies of a response are not sent with the next request") { fixture in
            fixture.server.enqueue(.ok.field("Set-Cookie", "a=b; Path=/"), .ok)
            _ = await fixture.start().outcome()
            _ = await fixture.start().outcome()
            #expect(fixture.server.requests.count == 2)
            #expect(fixture.server.requests.allSatisfy { !$0.fields.contains("Cookie") })
        },
        TransportScenario("a response that may be cached is asked for again") { fixture in
            fixture.server.enqueue(.ok("1", fields: ["Cache-Control": "max-age=3600"]), .ok("2"))
            #expect(await fixture.start().content() == "1")
            #expect(await fixture.start().content() == "2")
        },
        TransportScenario("a connection is used again") { fixture in
            fixture.server.enqueue(.ok("1"), .ok("2"), .ok("3"))
            for content in ["1", "2", "3"] { #expect(await fixture.start().content() == content) }
            #expect(fixture.server.connectionCount == 1)
        },
        TransportScenario("fifty transfers at once each get their own response") { fixture in
            let server = try TestServer { request in .ok(request.target) }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let exchange = fixture.start(HTTPRequest(url: server.url("/\(number)")))
                        #expect(await exchange.content() == "/\(number)")
                    }
                }
            }
            #expect(server.requestCount == 50)
            server.close()
        },
    ]
}
