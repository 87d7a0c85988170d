// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import SAPFoundation

@Suite(.timeLimit(.minutes(1)))
struct TerminalWebViewPresenterTests {
    @Test func `the page's URL is shown, other requests get 404, and the redirect ends the wait with a plain page`() async throws {
        let redirect = try LoopbackRedirect(try #require(URL(string: "http://127.0.0.1:0/callback")))
        let targets = EventRecorder<String?>()
        redirect.wait { targets.record($0) }
        let base = "http://127.0.0.1:\(redirect.port)"
        let browser = SAPURLSession()
        #expect(await browser.outcome(of: try #require(URL(string: "\(base)/favicon.ico"))).status == 404)
        let page = await browser.outcome(of: try #require(URL(string: "\(base)/callback?code=%3Cscript%3E&state=s")))
        #expect(page.status == 200)
        #expect(page.text?.contains("You can close this window") == true)
        #expect(page.text?.contains("script") == false)
        #expect(try await targets.wait(for: 1) == ["/callback?code=%3Cscript%3E&state=s"])
    }

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

    @Test(
        arguments: [
            ("GET /a?b HTTP/1.1\r\n\r\n", "/a?b"), ("POST /a HTTP/1.1\r\n\r\n", nil), ("GET http://x/ HTTP/1.1", nil), ("", nil),
            ("GET /a", nil),
            ("\u{0}\u{1}\r\n\r\n", nil),
        ] as [(String, String?)])
    func `only a GET request line has a target`(head: String, target: String?) {
        #expect(LoopbackRedirect.target(of: head) == target)
    }
}
#endif
