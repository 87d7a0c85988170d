// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Testing

@testable import SAPFoundation

@Suite(.timeLimit(.minutes(1)))
struct TerminalWebViewPresenterTests {
    @Test func `a person logs in with the page shown on the terminal`() async throws {
        let terminal = try PseudoTerminal()
        let server = try TestServer { _ in .json(#"{"access_token": "at", "token_type": "Bearer"}"#) }
        // A port that was free a moment ago.
        let port = try LoopbackRedirect(try #require(URL(string: "http://127.0.0.1:0/"))).port
        let parameters = OAuth2AuthenticationParameters(
            authorizationEndpointURL: server.url("/authorize"), clientID: "tool",
            redirectURL: try #require(URL(string: "http://127.0.0.1:\(port)/callback")), tokenEndpointURL: server.url("/token"))
        let authenticator = OAuth2Authenticator(
            authenticationParameters: parameters, webViewPresenter: TerminalWebViewPresenter(terminalPath: terminal.path))
        let answers = EventRecorder<OAuth2Token?>()
        authenticator.authenticate { token, _ in answers.record(token) }

        let shown = await callbackValue { callback in
            Thread.detachNewThread { callback(terminal.read(until: "\r\n\r\n") + terminal.read(until: "\r\n\r\n")) }
        }
        let text = try #require(shown.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://") })
        let state = try #require(URLComponents(string: String(text))?.queryItems?.first { $0.name == "state" }?.value)
        _ = await SAPURLSession().outcome(of: try #require(URL(string: "http://127.0.0.1:\(port)/callback?code=c&state=\(state)")))
        #expect(try await answers.wait(for: 1).first??.accessToken == "at")
    }

    @Test func `without a terminal, and when cancelled, there is an error`() async throws {
        let url = try #require(URL(string: "https://login.example/"))
        let redirectURL = try #require(URL(string: "http://127.0.0.1:0/"))
        let errors = EventRecorder<String>()
        TerminalWebViewPresenter(terminalPath: "/nonexistent/tty").present(url, redirectURL: redirectURL) { errors.record("\($1!)") }
        #expect(try await errors.wait(for: 1)[0].contains("no terminal to ask on"))

        let terminal = try PseudoTerminal()
        let presenter = TerminalWebViewPresenter(terminalPath: terminal.path)
        presenter.present(url, redirectURL: redirectURL) { errors.record("\($1!)") }
        presenter.dismiss()
        #expect(try await errors.wait(for: 2)[1] == "The log-in was cancelled.")
    }
}
#endif
