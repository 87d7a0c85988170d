// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OAuth2ObserverTests {
    /// Gives numbered tokens; the test says which one the server takes.
    private final class Authenticator: OAuth2Authentication, @unchecked Sendable {  // what changes is behind its lock
        let events = EventRecorder<String>()
        let number = Locked(0)
        let gate: TestGate
        let refreshError: (any Error)?
        let loginError: (any Error)?
        let lifetime: TimeInterval?

        init(
            gate: TestGate = TestGate(isOpen: true), refreshError: (any Error)? = nil, loginError: (any Error)? = nil,
            lifetime: TimeInterval? = nil
        ) {
            self.lifetime = lifetime
            self.gate = gate
            self.refreshError = refreshError
            self.loginError = loginError
        }

        private func give(_ error: (any Error)?, _ completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
            Task { [gate, number, lifetime] in
                try? await gate.pass()
                if let error { return completionHandler(nil, error) }
                let number = number.withLock { number in
                    number += 1
                    return number
                }
                completionHandler(
                    OAuth2Token(
                        accessToken: "new-\(number)", tokenType: "bearer", expiryDate: lifetime.map { Date(timeIntervalSinceNow: $0) },
                        refreshToken: "refresh-\(number)"), nil)
            }
        }

        func authenticate(completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
            events.record("authenticate")
            give(loginError, completionHandler)
        }

        func refresh(token: OAuth2Token, completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
            events.record("refresh \(token.refreshToken ?? "")")
            give(refreshError, completionHandler)
        }

        func cancelAuthentication() {}
    }

    private struct Failure: Error {}

    private static let refused = OAuth2Error.server(error: OAuth2ServerError(error: "invalid_grant"))

    /// Takes tokens that begin with `new-`, unless told otherwise.
    private func server(takes: @escaping @Sendable (String) -> Bool = { $0.hasPrefix("Bearer new-") }) throws -> TestServer {
        try TestServer { request in
            if let field = request.authorization.first, takes(field) { return .ok("content") }
            return request.path == "/public" ? .ok("public") : .status(401, fields: ["WWW-Authenticate": "Bearer realm=\"api\""])
        }
    }

    private func session(
        _ authenticator: Authenticator, _ tokens: [URL: OAuth2Token] = [:]
    ) throws -> (SAPURLSession, OAuth2TokenStorage, OAuth2Observer) {
        let store = OAuth2TokenStorage(store: InMemoryCodableStore())
        for (url, token) in tokens { try store.store(token: token, for: url) }
        let observer = OAuth2Observer(authenticator: authenticator, tokenStore: store)
        let session = SAPURLSession()
        session.register(observer)
        return (session, store, observer)
    }

    private func old(expires: Date? = nil, refreshToken: String? = "old-refresh") -> OAuth2Token {
        OAuth2Token(accessToken: "old", tokenType: "Bearer", expiryDate: expires, refreshToken: refreshToken)
    }

    @Test func `what needs no token gets none; what does, logs in, once for all, and keeps it`() async throws {
        let server = try server()
        let authenticator = Authenticator()
        let (session, _, observer) = try session(authenticator)
        #expect(await session.outcome(of: server.url("/public")).text == "public")
        #expect(authenticator.events.events.isEmpty)

        let texts = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { await session.outcome(of: server.url("/a")).text } }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "content", count: 20))
        #expect(authenticator.events.events == ["authenticate"])
        #expect(try observer.get(for: server.url("/b"))?.accessToken == "new-1")
        #expect(await session.outcome(of: server.url("/b")).text == "content")
        #expect(server.requests.last?.authorization == ["Bearer new-1"])
    }

    @Test func `a token that has expired is renewed before it is sent`() async throws {
        let server = try server()
        let authenticator = Authenticator()
        let (session, _, _) = try session(authenticator, [server.url("/"): old(expires: Date(timeIntervalSinceNow: 10))])
        #expect(await session.outcome(of: server.url("/a")).text == "content")
        #expect(authenticator.events.events == ["refresh old-refresh"])
        #expect(server.requests.map(\.authorization) == [["Bearer new-1"]])
    }

    @Test(arguments: [-3600, -1e9, -1e300] as [TimeInterval])
    func `a token that has ended by the clock, and cannot be renewed, is sent: the server knows what it is worth`(
        seconds: TimeInterval
    ) async throws {
        let server = try server(takes: { $0 == "Bearer old" })
        let authenticator = Authenticator()
        let old = old(expires: Date(timeIntervalSinceNow: seconds), refreshToken: nil)
        let (session, _, _) = try session(authenticator, [server.url("/"): old])
        #expect(await session.outcome(of: server.url("/a")).text == "content")
        #expect(server.requests.map(\.authorization) == [["Bearer old"]])
        #expect(authenticator.events.events.isEmpty)
    }

    @Test(arguments: [3600, 1e9, 1e300] as [TimeInterval])
    func `a token that is good by the clock is renewed when the server says that it has ended`(seconds: TimeInterval) async throws {
        let server = try server()
        let authenticator = Authenticator()
        let (session, _, _) = try session(authenticator, [server.url("/"): old(expires: Date(timeIntervalSinceNow: seconds))])
        #expect(await session.outcome(of: server.url("/a")).text == "content")
        #expect(authenticator.events.events == ["refresh old-refresh"])
        #expect(server.requests.map(\.authorization) == [["Bearer old"], ["Bearer new-1"]])
    }

    @Test func `a clock that makes every token look old costs renewals, and no request`() async throws {
        let server = try server()
        let authenticator = Authenticator(lifetime: -3600)
        let (session, _, _) = try session(authenticator, [server.url("/"): old(expires: .distantPast)])
        for _ in 0..<3 { #expect(await session.outcome(of: server.url("/a")).text == "content") }
        #expect(authenticator.events.events == ["refresh old-refresh", "refresh refresh-1", "refresh refresh-2"])
    }

    @Test func `a token that is refused is renewed, once for all who hold it, without the caller seeing it`() async throws {
        let server = try server()
        let gate = TestGate()
        let authenticator = Authenticator(gate: gate)
        let (session, _, _) = try session(authenticator, [server.url("/"): old()])
        async let outcomes = withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { await session.outcome(of: server.url("/a")).text } }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        try await server.waitForRequests(count: 6)
        gate.open()
        #expect(await outcomes == Array(repeating: "content", count: 20))
        #expect(authenticator.events.events == ["refresh old-refresh"])
    }

    @Test func `a refresh that the authorization server refuses leads to a log-in; one that the network fails does not`() async throws {
        let server = try server()
        let refusing = Authenticator(refreshError: Self.refused)
        let (session, _, _) = try session(refusing, [server.url("/"): old()])
        #expect(await session.outcome(of: server.url("/a")).text == "content")
        #expect(refusing.events.events == ["refresh old-refresh", "authenticate"])

        let failing = Authenticator(refreshError: Failure())
        let (other, store, _) = try self.session(failing, [server.url("/"): old()])
        #expect(await other.outcome(of: server.url("/a")).error is Failure)
        #expect(failing.events.events == ["refresh old-refresh"])
        #expect(try store.token(for: server.url("/"))?.accessToken == "old")
    }

    @Test func `a fresh token that is refused, too, ends the matter and is dropped`() async throws {
        let server = try server { _ in false }
        let authenticator = Authenticator()
        let (session, store, _) = try session(authenticator, [server.url("/"): old()])
        let outcome = await session.outcome(of: server.url("/a"))
        guard case .tokenRejected? = outcome.error as? OAuth2Error else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(server.requestCount == 2)
        #expect(try store.token(for: server.url("/")) == nil)
    }

    @Test func `a token never goes to another origin`() async throws {
        let other = try TestServer { _ in .ok("other") }
        let server = try TestServer { [target = other.url("/").absoluteString] _ in .redirect(to: target) }
        let (session, _, _) = try session(Authenticator(), [server.url("/"): old()])
        #expect(await session.outcome(of: server.url("/")).text == "other")
        #expect(server.requests.map(\.authorization) == [["Bearer old"]])
        #expect(other.requests.map(\.authorization) == [[]])
    }

    @Test func `a field of the caller's own is left alone, and so is the answer to it`() async throws {
        let server = try server()
        let authenticator = Authenticator()
        let (session, _, _) = try session(authenticator)
        var request = URLRequest(url: server.url("/"))
        request.setValue("Bearer mine", forHTTPHeaderField: "Authorization")
        #expect(await session.outcome(of: request).status == 401)
        #expect(server.requests.map(\.authorization) == [["Bearer mine"]])
        #expect(authenticator.events.events.isEmpty)
    }

    @Test func `a log-in that fails is the task's error; clear drops the tokens`() async throws {
        let server = try server()
        let (session, _, _) = try session(Authenticator(loginError: OAuth2Error.cancelled))
        guard case .cancelled? = await session.outcome(of: server.url("/")).error as? OAuth2Error else {
            Issue.record("no error")
            return
        }
        let (other, store, observer) = try self.session(Authenticator())
        #expect(await other.outcome(of: server.url("/")).text == "content")
        let manager = TokenStoreManager.shared
        manager.set(tokenStoreManaging: observer)
        #expect(try manager.get(for: server.url("/"))?.accessToken == "new-1")
        manager.clear()
        #expect(try store.token(for: server.url("/")) == nil)
    }
}
