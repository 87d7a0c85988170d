// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CSRFTokenObserverTests {
    /// Gives a numbered token for each fetch and takes the newest one only.
    private final class TokenServer: Sendable {
        let server: TestServer
        let current: Locked<Int>

        init(isFetchable: Bool = true) throws {
            let current = Locked(0)
            self.current = current
            server = try TestServer { request in
                if request.fields.values("X-CSRF-Token") == ["Fetch"] {
                    guard isFetchable else { return .ok }
                    let number = current.withLock { current in
                        current += 1
                        return current
                    }
                    return .ok.field("X-CSRF-Token", "token-\(number)").field("Set-Cookie", "session=\(number)")
                }
                if request.method == "GET" { return .ok("read") }
                guard request.fields.values("X-CSRF-Token") == ["token-\(current.withLock { $0 })"] else {
                    return .status(403, fields: ["X-CSRF-Token": "Required"], "no token")
                }
                return .ok("written")
            }
        }
    }

    private func post(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data("x".utf8)
        return request
    }

    @Test func `a request that changes something gets a token, which is fetched once and kept`() async throws {
        let tokens = try TokenServer()
        let session = SAPURLSession()
        session.register(CSRFTokenObserver(rootUrl: tokens.server.url("/service/")))

        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<5 { group.addTask { await session.outcome(of: post(tokens.server.url("/service/orders"))) } }
            return await group.reduce(into: [Outcome]()) { $0.append($1) }
        }

        #expect(outcomes.map(\.text) == Array(repeating: "written", count: 5))
        #expect(tokens.server.requests.count { $0.path == "/service/" } == 1)
    }

    @Test func `reading, and what the provider has no token for, is left alone`() async throws {
        let tokens = try TokenServer()
        let session = SAPURLSession()
        session.register(CSRFTokenObserver(rootUrl: tokens.server.url("/service/")))
        #expect(await session.outcome(of: tokens.server.url("/service/orders")).text == "read")
        #expect(await session.outcome(of: post(tokens.server.url("/services"))).status == 403)
        #expect(tokens.server.requests.allSatisfy { $0.fields.values("X-CSRF-Token").isEmpty })
    }

    @Test func `a token that is no longer good is replaced, once`() async throws {
        let tokens = try TokenServer()
        let session = SAPURLSession()
        session.register(CSRFTokenObserver(rootUrl: tokens.server.url("/")))
        #expect(await session.outcome(of: post(tokens.server.url("/a"))).text == "written")
        tokens.current.withLock { $0 += 10 }
        #expect(await session.outcome(of: post(tokens.server.url("/a"))).text == "written")

        let never = try TestServer { request in
            request.method == "GET" ? .ok.field("X-CSRF-Token", "useless") : .status(403, fields: ["X-CSRF-Token": "required"])
        }
        let other = SAPURLSession()
        other.register(CSRFTokenObserver(rootUrl: never.url("/")))
        #expect(await other.outcome(of: post(never.url("/a"))).status == 403)
        #expect(never.requests.map(\.method) == ["GET", "POST", "GET", "POST"])
    }

    @Test func `an answer without a token fails the request with an error that says so`() async throws {
        let tokens = try TokenServer(isFetchable: false)
        let session = SAPURLSession()
        session.register(CSRFTokenObserver(rootUrl: tokens.server.url("/")))
        let outcome = await session.outcome(of: post(tokens.server.url("/a")))
        guard case .failedToRetriveCSRFToken(let detail)? = outcome.error as? SAPURLSessionError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(detail == "the answer with status 200 had none")
        #expect(tokens.server.requests.map(\.method) == ["GET"])
    }
}
