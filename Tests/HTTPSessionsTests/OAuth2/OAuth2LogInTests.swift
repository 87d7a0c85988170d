// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

@Suite(.timeLimit(.minutes(1)))
struct OAuth2LogInTests {
    private struct NoBrowser: Error {}

    /// A server whose log-in page leads back at once, with `answer` made of the page's own query.
    private func server(_ answer: @escaping @Sendable (_ query: [String: String]) -> String) throws -> TestServer {
        try TestServer { request in
            guard request.path == "/authorize" else { return .json(#"{"access_token": "at", "token_type": "Bearer"}"#) }
            let items = URLComponents(string: request.target)?.queryItems ?? []
            let query = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
            return .redirect(to: "\(query["redirect_uri"] ?? "")?\(answer(query))")
        }
    }

    private func client(_ server: TestServer, issuer: String? = nil) -> OAuth2Client {
        OAuth2Client(
            clientID: "tool",
            server: OAuth2AuthorizationServer(
                issuer: issuer, authorizationEndpoint: server.url("/authorize"), tokenEndpoint: server.url("/token")))
    }

    /// Opens pages as a browser does, follows where they lead, and keeps what is shown at the end.
    private final class Browser: Sendable {
        let pages = EventRecorder<(status: Int?, text: String)>()

        func open(_ url: URL) async {
            let response = await Session.response(from: url)
            pages.record((response.response?.statusCode, response.value ?? ""))
        }
    }

    @Test func `a person logs in and the program gets the token`() async throws {
        let server = try server { "code=the-code&state=\($0["state"] ?? "")" }
        let browser = Browser()
        let token = try await client(server).logIn(scopes: ["read"], redirectPath: "/callback") { await browser.open($0) }
        #expect(token == OAuth2TokenResponse(accessToken: "at", scopes: ["read"]))
        let page = try await browser.pages.wait(for: 1)[0]
        #expect(page.status == 200)
        #expect(page.text.contains("You can close this window"))
        let form = try #require(server.requests.last?.bodyText)
        #expect(form.contains("code=the-code&redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
        #expect(form.contains("%2Fcallback&code_verifier="))
        #expect(server.requests.count == 2)
    }

    @Test(
        arguments: [
            ("code=c&state=wrong", .stateMismatch), ("code=c", .stateMismatch), ("error=access_denied&state=STATE", .accessDenied),
            ("code=c&state=STATE&iss=https%3A%2F%2Fother.example", .issuerMismatch), ("state=STATE", .malformedRedirect),
            ("error=invalid_scope&error_description=%3Cscript%3Ealert(1)%3C%2Fscript%3E&state=STATE", .invalidScope),
        ] as [(String, OAuth2ClientError.Kind)])
    func `a redirect that is not this log-in's success ends it, and the page says so`(
        answer: String, kind: OAuth2ClientError.Kind
    ) async throws {
        let server = try server { answer.replacing("STATE", with: $0["state"] ?? "") }
        let browser = Browser()
        let error = await #expect(throws: OAuth2ClientError.self) {
            try await client(server, issuer: "https://login.example").logIn { await browser.open($0) }
        }
        #expect(error?.kind == kind)
        let page = try await browser.pages.wait(for: 1)[0]
        #expect(page.status == 400)
        #expect(page.text.contains("<h1>The log-in did not succeed</h1>"))
        #expect(!page.text.contains("<script"))
        #expect(server.requests.count == 1)
    }

    @Test func `a browser that cannot be opened is an error`() async throws {
        let server = try server { _ in "" }
        let error = await #expect(throws: OAuth2ClientError.self) {
            try await client(server).logIn { _ in throw NoBrowser() }
        }
        #expect(error?.kind == .browserUnavailable)
        #expect(error?.underlyingError is NoBrowser)
    }

    @Test func `cancelling ends the wait for a person, and frees the port`() async throws {
        let server = try server { _ in "" }
        let opened = EventRecorder<URL>()
        let task = Task { [client = client(server)] in try await client.logIn { opened.record($0) } }
        let page = try await opened.wait(for: 1)[0]
        task.cancel()
        let error = await #expect(throws: OAuth2ClientError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        let redirect = try #require(
            URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "redirect_uri" })
        let port = try #require(redirect.value.flatMap { URL(string: $0)?.port })
        #expect(throws: LoopbackConnection.Failure.self) { try LoopbackConnection(to: port) }
    }

    @Test(arguments: ["callback", "/a?b", "/a#b"])
    func `a path that makes no redirect is an error`(path: String) async throws {
        let server = try server { _ in "" }
        let error = await #expect(throws: OAuth2ClientError.self) {
            try await client(server).logIn(redirectPath: path) { _ in }
        }
        #expect(error?.kind == .invalidArgument)
    }

    @Test func `a port that is taken is an error`() async throws {
        let server = try server { _ in "" }
        let error = await #expect(throws: OAuth2ClientError.self) { try await client(server).logIn(port: server.port) { _ in } }
        #expect(error?.kind == .redirectUnavailable)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct SystemBrowserTests {
    /// A folder with a command of that name.
    ///
    /// Another program writes it: a child that somebody starts meanwhile would hold this one's descriptor for a moment, and what is open
    /// for writing cannot be run.
    private func folder(_ name: String, _ script: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("openmoya-browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (source, file) = (folder.appendingPathComponent("source"), folder.appendingPathComponent(name))
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: source)
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = ["-c", "cp \"$1\" \"$2\" && chmod 755 \"$2\"", "sh", source.path, file.path]
        try writer.run()
        writer.waitUntilExit()
        #expect(writer.terminationStatus == 0)
        return folder
    }

    @Test func `the command gets the address as it is`() async throws {
        let folder = try folder("browse", #"printf '%s' "$1" > "$0.page""#)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try #require(URL(string: "https://login.example/?a=1&b=$(id)%20"))
        try await SystemBrowser.open(url, by: "browse", in: "/nowhere:\(folder.path)")
        #expect(try String(contentsOf: folder.appendingPathComponent("browse.page"), encoding: .utf8) == url.absoluteString)
    }

    @Test func `a command that fails or is missing is an error that says what to do; nothing else than a page is opened`() async throws {
        let folder = try folder("browse", "exit 3")
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = try #require(URL(string: "https://login.example/?secret"))
        for (command, says) in [("browse", "status 3"), ("nothing", "no command nothing")] {
            let error = await #expect(throws: OAuth2ClientError.self) {
                try await SystemBrowser.open(page, by: command, in: folder.path)
            }
            #expect(error?.kind == .browserUnavailable)
            #expect(error?.description.contains(says) == true)
            #expect(error?.description.contains("secret") == false)
        }
        let file = try #require(URL(string: "file:///etc/passwd"))
        let error = await #expect(throws: OAuth2ClientError.self) { try await SystemBrowser.open(file, by: "browse", in: folder.path) }
        #expect(error?.kind == .invalidArgument)
    }
}
#endif
