// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct OAuth2AuthenticatorTests {
    private struct Answer: Sendable {
        let token: OAuth2Token?
        let error: (any Error)?
    }

    private func token(_ start: (@escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) -> Void) async throws -> Answer {
        let answers = EventRecorder<Answer>()
        start { answers.record(Answer(token: $0, error: $1)) }
        return try await answers.wait(for: 1)[0]
    }

    private func clientCredentials(_ server: TestServer) throws -> OAuth2Authenticator {
        OAuth2Authenticator(
            authenticationParameters: try OAuth2ClientCredentialsAuthenticationParameters(
                tokenEndpointURL: server.url("/token"), clientID: "my client", clientSecret: "s:e&cret", requestingScopes: ["b", "a"]))
    }

    @Test func `client credentials bring a token`() async throws {
        let server = try TestServer { _ in
            .json(#"{"access_token": "at", "token_type": "bearer", "expires_in": "3600", "scope": "a b", "unknown": 1}"#)
        }
        let authenticator = try clientCredentials(server)
        let answer = try await token { authenticator.authenticate(completionHandler: $0) }
        let token = try #require(answer.token)
        #expect(token.accessToken == "at")
        #expect(token.scopes == ["a", "b"])
        #expect(try abs(#require(token.expiryDate).timeIntervalSinceNow - 3600) < 60)
        #expect(server.requests[0].bodyText == "grant_type=client_credentials&scope=a%20b")
        #expect(server.requests[0].authorization == ["Basic " + Data("my%20client:s%3Ae%26cret".utf8).base64EncodedString()])
    }

    @Test(arguments: ["", #", "expires_in": null"#, #", "expires_in": 1e300"#])
    func `a token whose end is not said, or is beyond all measure, has none`(lifetime: String) async throws {
        let server = try TestServer { _ in .json("{\"access_token\": \"at\", \"token_type\": \"Bearer\"\(lifetime)}") }
        let authenticator = try clientCredentials(server)
        let answer = try await token { authenticator.authenticate(completionHandler: $0) }
        #expect(answer.error == nil)
        #expect(try #require(answer.token).expiryDate == nil)
    }

    @Test(arguments: ["<html>", "{}", #"{"access_token": "a\r\nX: y", "token_type": "Bearer"}"#, ""])
    func `an answer that is no token is an error that shows nothing of it`(text: String) async throws {
        let server = try TestServer { _ in .json(text) }
        let authenticator = try clientCredentials(server)
        let answer = try await token { authenticator.authenticate(completionHandler: $0) }
        guard case .parse? = answer.error as? OAuth2Error else {
            Issue.record("unexpected error: \(String(describing: answer.error))")
            return
        }
    }

    @Test func `a refusal is the server's own; a failure has its status; a redirect is not followed`() async throws {
        let server = try TestServer()
        server.enqueue(
            .json(#"{"error": "invalid_client", "error_description": "who?"}"#, status: 401), .status(500, "<html>"),
            .redirect(to: "/elsewhere", status: 307))
        let authenticator = try clientCredentials(server)
        let refused = try await token { authenticator.authenticate(completionHandler: $0) }
        guard case .server(let error)? = refused.error as? OAuth2Error else {
            Issue.record("unexpected error: \(String(describing: refused.error))")
            return
        }
        #expect(error == OAuth2ServerError(error: "invalid_client", errorDescription: "who?"))
        for status in [500, 307] {
            let failed = try await token { authenticator.authenticate(completionHandler: $0) }
            guard case .http(_, status, _)? = failed.error as? OAuth2Error else {
                Issue.record("unexpected error: \(String(describing: failed.error))")
                return
            }
        }
        #expect(server.requests.map(\.path) == ["/token", "/token", "/token"])
    }

    /// Follows the log-in page as a browser would, to where it leads.
    private final class Browser: WebViewPresenting, @unchecked Sendable {  // set before use
        let pages = EventRecorder<URL>()
        var answer: @Sendable (_ query: [String: String]) -> String = { "code=the-code&state=\($0["state"] ?? "")" }
        var isAnswering = true

        func present(_ url: URL, redirectURL: URL, completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void) {
            pages.record(url)
            guard isAnswering else { return }
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            let query = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
            completionHandler(URL(string: "\(redirectURL.absoluteString)?\(answer(query))"), nil)
        }

        func dismiss() {}
    }

    private func parameters(_ server: TestServer) throws -> OAuth2AuthenticationParameters {
        OAuth2AuthenticationParameters(
            authorizationEndpointURL: server.url("/authorize?tenant=1"), clientID: "native",
            redirectURL: try #require(URL(string: "http://127.0.0.1:4711/callback")), tokenEndpointURL: server.url("/token"),
            requestingScopes: ["read"])
    }

    @Test func `an authorization code is exchanged for a token, with PKCE; a refresh renews it`() async throws {
        let server = try TestServer { request in
            let number = request.bodyText.contains("grant_type=refresh_token") ? 2 : 1
            return .json("{\"access_token\": \"at-\(number)\", \"token_type\": \"Bearer\", \"refresh_token\": \"rt-\(number)\"}")
        }
        let browser = Browser()
        let authenticator = OAuth2Authenticator(authenticationParameters: try parameters(server), webViewPresenter: browser)
        let first = try #require(try await token { authenticator.authenticate(completionHandler: $0) }.token)
        #expect(first.accessToken == "at-1")

        let page = try #require(URLComponents(url: browser.pages.events[0], resolvingAgainstBaseURL: false)?.queryItems)
        func value(_ name: String) -> String? { page.first { $0.name == name }?.value }
        #expect(value("tenant") == "1")
        #expect(value("response_type") == "code")
        #expect(value("code_challenge_method") == "S256")
        #expect(value("redirect_uri") == "http://127.0.0.1:4711/callback")
        let form = server.requests[0].bodyText
        #expect(form.contains("code=the-code&"))
        #expect(form.contains("client_id=native"))
        #expect(form.contains("code_verifier="))
        #expect(server.requests[0].authorization.isEmpty)

        let second = try #require(try await token { authenticator.refresh(token: first, completionHandler: $0) }.token)
        #expect(second.accessToken == "at-2")
        #expect(server.requests[1].bodyText == "grant_type=refresh_token&refresh_token=rt-1&client_id=native")
    }

    @Test(arguments: ["code=the-code&state=wrong", "code=the-code", "state=STATE", "code=a&code=b&state=STATE", "code=&state=STATE"])
    func `a redirect that does not answer this log-in is refused`(query: String) async throws {
        let server = try TestServer { _ in .ok }
        let browser = Browser()
        browser.answer = { query.replacingOccurrences(of: "STATE", with: $0["state"] ?? "") }
        let authenticator = OAuth2Authenticator(authenticationParameters: try parameters(server), webViewPresenter: browser)
        let answer = try await token { authenticator.authenticate(completionHandler: $0) }
        guard case .authorizationCode? = answer.error as? OAuth2Error else {
            Issue.record("unexpected error: \(String(describing: answer.error))")
            return
        }
        #expect(server.requestCount == 0)
    }

    @Test func `a refusal in the redirect is the server's; a second log-in has to wait; cancelling lets it`() async throws {
        let server = try TestServer { _ in .ok }
        let browser = Browser()
        browser.answer = { "error=access_denied&state=\($0["state"] ?? "")" }
        let authenticator = OAuth2Authenticator(authenticationParameters: try parameters(server), webViewPresenter: browser)
        guard case .server(let error)? = try await token({ authenticator.authenticate(completionHandler: $0) }).error as? OAuth2Error else {
            Issue.record("no refusal")
            return
        }
        #expect(error.error == "access_denied")

        browser.isAnswering = false
        let ended = EventRecorder<Answer>()
        authenticator.authenticate { ended.record(Answer(token: $0, error: $1)) }
        guard case .authenticationInProgress? = try await token({ authenticator.authenticate(completionHandler: $0) }).error as? OAuth2Error
        else {
            Issue.record("not refused")
            return
        }
        authenticator.cancelAuthentication()
        guard case .cancelled? = try await ended.wait(for: 1)[0].error as? OAuth2Error else {
            Issue.record("not cancelled")
            return
        }
        browser.isAnswering = true
        #expect(try await token { authenticator.authenticate(completionHandler: $0) }.error is OAuth2Error)
        #expect(browser.pages.events.count == 3)
    }

    @Test func `a server elsewhere without TLS is not asked, unless that is allowed`() async throws {
        let transport = ScriptedTransport { _ in .json(#"{"access_token": "at", "token_type": "Bearer"}"#) }
        let authenticator = OAuth2Authenticator(
            authenticationParameters: try OAuth2ClientCredentialsAuthenticationParameters(
                tokenEndpointURL: try #require(URL(string: "http://login.example/token")), clientID: "c", clientSecret: "s"),
            sapURLSession: SAPURLSession(transport: transport))
        let refused = try await token { authenticator.authenticate(completionHandler: $0) }
        guard case .invalidArgument(let detail)? = refused.error as? OAuth2Error else {
            Issue.record("unexpected error: \(String(describing: refused.error))")
            return
        }
        #expect(detail.contains("use https"))
        #expect(transport.messages.isEmpty)
        authenticator.allowsPlaintextTransport = true
        #expect(try await token { authenticator.authenticate(completionHandler: $0) }.token?.accessToken == "at")
    }

    @Test func `what the caller's own handler throws is the caller's error`() async throws {
        struct Locked: Error {}
        let server = try TestServer()
        let authenticator = OAuth2Authenticator(
            authenticationParameters: OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: server.url("/token")) { _ in
                throw Locked()
            })
        let answer = try await token { authenticator.authenticate(completionHandler: $0) }
        #expect(answer.error is Locked)
        #expect(server.requestCount == 0)
    }

    @Test func `a token that cannot be used is an error`() async throws {
        let server = try TestServer()
        server.enqueue(
            .json(#"{"access_token": "at", "token_type": "mac"}"#),
            .json(#"{"access_token": "at", "token_type": "Bearer", "expires_in": 0}"#),
            .json(#"{"access_token": "at", "token_type": "Bearer", "expires_in": -3600}"#),
            .json(#"{"access_token": "at", "token_type": "Bearer", "expires_in": "soon"}"#))
        let authenticator = try clientCredentials(server)
        for _ in 0..<4 {
            let answer = try await token { authenticator.authenticate(completionHandler: $0) }
            guard case .parse? = answer.error as? OAuth2Error else {
                Issue.record("unexpected error: \(String(describing: answer.error))")
                return
            }
        }
    }

    @Test func `cancelling ends a refresh, too`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in ScriptedResponse.json("{}").stalled(by: gate) }
        let authenticator = try clientCredentials(server)
        let ended = EventRecorder<Answer>()
        authenticator.refresh(token: OAuth2Token(accessToken: "a", tokenType: "Bearer", refreshToken: "r")) {
            ended.record(Answer(token: $0, error: $1))
        }
        try await gate.waitForWaiters()
        authenticator.cancelAuthentication()
        guard case .cancelled? = try await ended.wait(for: 1)[0].error as? OAuth2Error else {
            Issue.record("not cancelled")
            return
        }
        gate.open()
    }
}
