// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LoginObserverTests {
    private struct Refusal: Error {}

    /// Logs in by fetching a page that sets a cookie, as a browser would at the end of its pages.
    private final class CookieLogin: SAMLAuthentication, OTPAuthentication, @unchecked Sendable {  // what changes is behind its lock
        let count = Locked(0)
        let url: URL
        let error: (any Error)?

        init(_ url: URL, error: (any Error)? = nil) {
            self.url = url
            self.error = error
        }

        func authenticate(session: SAPURLSession, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
            count.withLock { $0 += 1 }
            if let error { return completionHandler(error) }
            session.dataTask(with: url) { _, _, error in completionHandler(error) }.resume()
        }

        func authenticate(
            session: SAPURLSession, response: HTTPURLResponse, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) { authenticate(session: session, completionHandler: completionHandler) }

        func authenticate(cookies: [HTTPCookie], completionHandler: @escaping @Sendable ((any Error)?) -> Void) { completionHandler(nil) }
        func cancelAuthentication() {}
    }

    private func server(_ challenge: (name: String, value: String), letsIn: Bool = true) throws -> TestServer {
        try TestServer { request in
            if request.path == "/login" { return letsIn ? .ok.field("Set-Cookie", "login=done; Path=/") : .ok }
            return request.fields.values("Cookie") == ["login=done"]
                ? .ok("the content") : .ok("log in").field(challenge.name, challenge.value)
        }
    }

    private func session() -> SAPURLSession {
        let configuration = URLSessionConfiguration.ephemeral
        return SAPURLSession(configuration: configuration)
    }

    @Test(arguments: [true, false])
    func `a response that asks for a log-in leads to one, and to the content`(isSAML: Bool) async throws {
        let server = try server(
            isSAML ? ("com.sap.cloud.security.login", "login-request") : ("x-smp-authentication", "otp-challenge"))
        let session = session()
        let login = CookieLogin(server.url("/login"))
        session.register(isSAML ? SAMLObserver(authenticator: login) : OTPObserver(authenticator: login) as any SAPURLSessionObserving)

        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<4 { group.addTask { await session.outcome(of: server.url("/content")) } }
            return await group.reduce(into: [Outcome]()) { $0.append($1) }
        }

        #expect(outcomes.map(\.text) == Array(repeating: "the content", count: 4))
        #expect(login.count.withLock { $0 } >= 1)
        #expect(login.count.withLock { $0 } < 4 || server.requestCount == 12)
    }

    @Test func `a log-in that does not help is an error, not a loop`() async throws {
        let server = try server(("com.sap.cloud.security.login", "login-request"), letsIn: false)
        let session = session()
        session.register(SAMLObserver(authenticator: CookieLogin(server.url("/login"))))
        let outcome = await session.outcome(of: server.url("/content"))
        guard case .repeated("SAML")? = outcome.error as? SAPLoginError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(server.requests.map(\.path) == ["/content", "/login", "/content"])
    }

    @Test func `a log-in that fails is the task's error, and the app's hook hears of it`() async throws {
        let server = try server(("com.sap.cloud.security.login", "login-request"))
        let hook = Hook()
        let observer = SAMLObserver(authenticator: CookieLogin(server.url("/login"), error: Refusal()))
        observer.authenticationHandler = hook
        let session = session()
        session.register(observer)
        #expect(await session.outcome(of: server.url("/content")).error is Refusal)
        #expect(hook.events.events == ["failed"])
    }

    @Test func `the app's hook holds the session's requests back, but for its own`() async throws {
        let server = try server(("com.sap.cloud.security.login", "login-request"))
        let session = session()
        let hook = Hook()
        hook.registration = server.url("/registration")
        let observer = SAMLObserver(authenticator: CookieLogin(server.url("/login")))
        observer.authenticationHandler = hook
        session.register(observer)

        async let first = session.outcome(of: server.url("/content"))
        _ = try await hook.events.wait(for: 1)
        async let held = session.outcome(of: server.url("/held"))
        try await server.waitForRequests(count: 3)
        hook.gate.open()
        #expect(await first.text == "the content")
        #expect(await held.text == "the content")

        let paths = server.requests.map(\.path)
        let registration = try #require(paths.firstIndex(of: "/registration"))
        #expect(paths.prefix(registration) == ["/content", "/login"])
        #expect(hook.events.events == ["authenticated"])
    }

    @Test func `an error of the app's hook fails those who wait`() async throws {
        let server = try server(("com.sap.cloud.security.login", "login-request"))
        let session = session()
        let hook = Hook()
        hook.error = Refusal()
        let observer = SAMLObserver(authenticator: CookieLogin(server.url("/login")))
        observer.authenticationHandler = hook
        session.register(observer)

        async let first = session.outcome(of: server.url("/content"))
        _ = try await hook.events.wait(for: 1)
        hook.gate.open()
        #expect(await first.error is Refusal)
        // The gate is open again.
        hook.error = nil
        #expect(await session.outcome(of: server.url("/content")).text == "the content")
    }

    private final class Hook: AuthenticationHandling, @unchecked Sendable {  // set before use
        let events = EventRecorder<String>()
        let gate = TestGate()
        var error: (any Error)?
        var registration: URL?

        func authenticationObserver(
            _ observer: any SAPURLSessionObserving, didAuthenticate session: SAPURLSession, requestBypassIdentifier: UUID,
            completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
            events.record("authenticated")
            let (error, registration, gate) = (error, registration, gate)
            Task {
                if let registration {
                    let task = session.dataTask(with: registration) { _, _, _ in
                        Task {
                            try? await gate.pass()
                            completionHandler(error)
                        }
                    }
                    task.requestBypassIdentifier = requestBypassIdentifier
                    task.resume()
                } else {
                    try? await gate.pass()
                    completionHandler(error)
                }
            }
        }

        func authenticationObserver(
            _ observer: any SAPURLSessionObserving, didFailToAuthenticate session: SAPURLSession, error: any Error
        ) { events.record("failed") }
    }
}
