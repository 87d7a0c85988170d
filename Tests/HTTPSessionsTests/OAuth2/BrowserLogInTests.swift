// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPTesting
import Testing

@testable import HTTPSessions

/// A person's way through a log-in, in a real browser.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: StartedServer.browser.isExpected && StartedServer.oauth.isExpected, "needs Chromium: run Scripts/test"),
    .enabled(if: Session.capabilities.contains(.strictFraming), "Foundation cannot parse chromedriver's heads"))
struct BrowserLogInTests {
    private func withBrowser(_ body: (WebDriver) async throws -> Void) async throws {
        let browser = try await WebDriver(try StartedServer.browser.url, session: Session.alone())
        do {
            try await body(browser)
        } catch {
            await browser.quit()
            throw error
        }
        await browser.quit()
    }

    /// What goes wrong in the browser ends the test, before the log-in's end and after it.
    @Sendable private static func record(
        in seen: EventRecorder<Result<String, any Error>>, _ body: @Sendable () async throws -> String
    ) async throws {
        do {
            seen.record(.success(try await body()))
        } catch {
            seen.record(.failure(error))
            throw error
        }
    }

    private func client() async throws -> OAuth2Client {
        OAuth2Client(clientID: "public", server: try await OAuth2AuthorizationServer.discover(issuer: try StartedServer.oauth.url))
    }

    @Test func `the person logs in at the server's page and lands on a page that can be read`() async throws {
        let (user, password) = (try StartedServer.value("USER_NAME"), try StartedServer.value("PASSWORD"))
        let client = try await client()
        try await withBrowser { browser in
            let seen = EventRecorder<Result<String, any Error>>()
            let token = try await client.logIn(scopes: ["read"], redirectPath: "/callback") { page in
                try await Self.record(in: seen) {
                    try await browser.open(page)
                    try await browser.waitForHeading("Log in")
                    try await browser.type(user, into: "#user")
                    try await browser.type(password, into: "#password")
                    try await browser.click("#allow")
                    try await browser.waitForHeading("The log-in page has ended")
                    return try await browser.text(of: "p")
                }
            }
            #expect(token.scopes == ["read"])
            let text = try await seen.wait(for: 1)[0].get()
            #expect(text == "You can close this window and go back to the program.")
        }
    }

    @Test func `the person says no and reads why there is no log-in`() async throws {
        let client = try await client()
        try await withBrowser { browser in
            let seen = EventRecorder<Result<String, any Error>>()
            let error = await #expect(throws: OAuth2ClientError.self) {
                try await client.logIn(redirectPath: "/callback") { page in
                    try await Self.record(in: seen) {
                        try await browser.open(page)
                        try await browser.click("#deny")
                        try await browser.waitForHeading("The log-in did not succeed")
                        return try await browser.text(of: "p")
                    }
                }
            }
            #expect(error?.kind == .accessDenied)
            let text = try await seen.wait(for: 1)[0].get()
            #expect(text.contains("the person or the server refused"))
        }
    }
}
#endif
