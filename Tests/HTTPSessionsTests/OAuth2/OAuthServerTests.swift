// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Against an authorization server made with Authlib.
@Suite(
    .timeLimit(.minutes(1)), .enabled(if: StartedServer.oauth.isExpected, "needs the authorization server: run Scripts/test"))
struct OAuthServerTests {
    private static func server() async throws -> OAuth2AuthorizationServer {
        try await OAuth2AuthorizationServer.discover(issuer: try StartedServer.oauth.url)
    }

    private func client(
        _ authentication: OAuth2ClientAuthentication = .none, id: String = "public", clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> OAuth2Client {
        OAuth2Client(
            clientID: id, authentication: authentication, server: try await Self.server(),
            options: OAuth2Client.Options { $0.clock = clock })
    }

    private static func post(_ path: String, _ parameters: [String: String]) async throws -> Int? {
        await Session.response(from: try StartedServer.oauth.url.appendingPathComponent(path), method: .post, form: parameters)
            .response?.statusCode
    }

    /// What the API beside the server says to a token.
    private func status(of token: OAuth2TokenResponse) async throws -> Int? {
        await Session.response(
            from: try StartedServer.oauth.url.appendingPathComponent("resource"),
            headers: [.authorization(bearerToken: token.accessToken)]
        ).response?.statusCode
    }

    /// A person's browser: fills in the log-in page and follows where it leads.
    @Sendable private static func logIn(at page: URL, password: String, decision: String = "allow") async throws -> (Int?, String) {
        let user = try StartedServer.value("USER_NAME")
        let form = await Session.response(from: page).value ?? ""
        guard form.contains("<h1>Log in</h1>") else { return (nil, form) }
        // The form goes back to the page's own address.
        let response = await Session.response(
            from: page, method: .post, form: ["user": user, "password": password, "decision": decision])
        return (response.response?.statusCode, response.value ?? "")
    }

    @Test func `the server tells about itself`() async throws {
        let server = try await Self.server()
        let base = try StartedServer.oauth.url
        #expect(server.issuer == base.absoluteString)
        #expect(server.tokenEndpoint == base.appendingPathComponent("token"))
        #expect(server.namesIssuerInRedirects)
        #expect(server.clientAuthenticationMethods == ["none", "client_secret_basic", "client_secret_post"])
    }

    @Test(arguments: [("basic", OAuth2ClientAuthentication.secretBasic("secret")), ("post", .secretPost("secret"))])
    func `client credentials bring a token that the API takes`(id: String, authentication: OAuth2ClientAuthentication) async throws {
        let token = try await client(authentication, id: id).clientCredentials(scopes: ["read"])
        #expect(token.scopes == ["read"])
        #expect(try #require(token.expiryDate) > Date(timeIntervalSinceNow: 3000))
        #expect(try await status(of: token) == 200)
    }

    @Test(
        arguments: [
            ("basic", .secretBasic("wrong"), .invalidClient), ("basic", .secretPost("secret"), .invalidClient),
            ("nobody", .secretBasic("secret"), .invalidClient), ("public", .none, .invalidClient),
        ] as [(String, OAuth2ClientAuthentication, OAuth2ClientError.Kind)])
    func `a client that is not let in gets the server's own reason`(
        id: String, authentication: OAuth2ClientAuthentication, kind: OAuth2ClientError.Kind
    ) async throws {
        let client = try await client(authentication, id: id)
        let error = await #expect(throws: OAuth2ClientError.self) { try await client.clientCredentials() }
        #expect(error?.kind == kind)
        #expect(error?.isRefusal == true)
    }

    @Test func `a scope that the server does not have is refused`() async throws {
        let client = try await client(.secretBasic("secret"), id: "basic")
        let error = await #expect(throws: OAuth2ClientError.self) { try await client.clientCredentials(scopes: ["everything"]) }
        #expect(error?.kind == .invalidScope)
    }

    #if os(Linux) || os(macOS)
    private func loggedIn() async throws -> OAuth2TokenResponse {
        let password = try StartedServer.value("PASSWORD")
        return try await client().logIn(scopes: ["read"], redirectPath: "/callback") { page in
            _ = try await Self.logIn(at: page, password: password)
        }
    }

    @Test func `a person logs in by authorization code with PKCE, and the page closes the matter`() async throws {
        let password = try StartedServer.value("PASSWORD")
        let pages = EventRecorder<(Int?, String)>()
        let token = try await client().logIn(scopes: ["read"], redirectPath: "/callback") { page in
            pages.record(try await Self.logIn(at: page, password: password))
        }
        #expect(token.scopes == ["read"])
        #expect(try await status(of: token) == 200)
        let (status, page) = try await pages.wait(for: 1)[0]
        #expect(status == 200)
        #expect(page.contains("You can close this window"))
    }

    @Test func `a person who says no ends the log-in`() async throws {
        let client = try await client()
        let error = await #expect(throws: OAuth2ClientError.self) {
            try await client.logIn(redirectPath: "/callback") { page in
                _ = try await Self.logIn(at: page, password: "", decision: "deny")
            }
        }
        #expect(error?.kind == .accessDenied)
    }

    @Test func `a code goes with its own verifier only`() async throws {
        let client = try await client()
        let redirectURL = try #require(URL(string: "http://127.0.0.1:9/callback"))
        let mine = try client.authorizationRequest(redirectURL: redirectURL)
        let others = try client.authorizationRequest(redirectURL: redirectURL)
        let page = others.pageURL
        let parameters = [
            "user": try StartedServer.value("USER_NAME"), "password": try StartedServer.value("PASSWORD"), "decision": "allow",
        ]
        let response = await Session.response(from: page, method: .post, form: parameters, redirectHandler: Redirector.doNotFollow)
        let answer = try #require(response.response?.value(forHTTPHeaderField: "Location").flatMap { URL(string: $0) })
        let mixedUp = await #expect(throws: OAuth2ClientError.self) { try await client.token(for: mine, redirectedTo: answer) }
        #expect(mixedUp?.kind == .stateMismatch)
        let code = try others.code(in: answer)
        let stolen = await #expect(throws: OAuth2ClientError.self) { try await client.token(for: mine, code: code) }
        #expect(stolen?.kind == .invalidGrant)
    }

    @Test func `a refresh rotates the refresh token; an old one that comes again ends them all`() async throws {
        let client = try await client()
        let first = try await loggedIn()
        let second = try await client.refresh(first)
        #expect(second.refreshToken != nil && second.refreshToken != first.refreshToken)
        #expect(second.scopes == ["read"])
        #expect(try await status(of: second) == 200)

        let reused = await #expect(throws: OAuth2ClientError.self) { try await client.refresh(first) }
        #expect(reused?.kind == .invalidGrant)
        let ended = await #expect(throws: OAuth2ClientError.self) { try await client.refresh(second) }
        #expect(ended?.kind == .invalidGrant)
    }

    @Test func `a revoked token is good for nothing`() async throws {
        let client = try await client()
        let token = try await loggedIn()
        #expect(try await status(of: token) == 200)
        try await client.revoke(token)
        #expect(try await status(of: token) == 401)
        let error = await #expect(throws: OAuth2ClientError.self) { try await client.refresh(token) }
        #expect(error?.kind == .invalidGrant)
        // Once more is no error (RFC 7009, 2.2).
        try await client.revoke(token)
    }

    @Test func `requests with a token that is over are sent again with one that one refresh has brought`() async throws {
        let token = try await loggedIn()
        #expect(try await Self.post("expire", ["token": token.accessToken]) == 200)
        let interceptor = AuthenticationInterceptor(
            authenticator: OAuth2TokenAuthenticator(client: try await client()), credential: OAuth2Credential(token))
        let session = Session.alone(interceptor: interceptor)
        let resource = try StartedServer.oauth.url.appendingPathComponent("resource")
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<30 {
                group.addTask { await session.request(resource).validate().serializingData().response.response?.statusCode }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // A second refresh with the same refresh token would have ended them all.
        #expect(statuses == Array(repeating: 200, count: 30))
        #expect(interceptor.credential?.token?.refreshToken != token.refreshToken)
        #expect(try await status(of: try #require(interceptor.credential?.token)) == 200)
    }
    #endif

    // MARK: Devices

    /// Lets time pass by what the client waits for, each time that it waits for exactly what is expected.
    private func wait(_ clock: TestClock, _ durations: Duration...) async throws {
        for duration in durations {
            try await clock.waitForSleepers(remaining: [duration])
            clock.advance(by: duration)
        }
    }

    @Test(
        arguments: [("read", [.seconds(5), .seconds(5)]), ("read slow", [.seconds(5), .seconds(10), .seconds(10)])]
            as [(String, [Duration])])
    func `a device waits for the person, less often if told so, and gets its token`(scopes: String, waits: [Duration]) async throws {
        let clock = TestClock()
        let client = try await client(clock: clock)
        let device = try await client.deviceAuthorization(scopes: Set(scopes.split(separator: " ").map(String.init)))
        #expect(device.interval == .seconds(5))
        #expect(device.completeVerificationURL?.absoluteString.contains(device.userCode) == true)

        async let token = client.token(for: device)
        for wait in waits.dropLast() { try await self.wait(clock, wait) }
        try await clock.waitForSleepers(remaining: [waits[waits.count - 1]])
        #expect(try await Self.post("device", ["user_code": device.userCode, "decision": "allow"]) == 200)
        clock.advance(by: waits[waits.count - 1])
        #expect(try await status(of: token) == 200)
    }

    @Test(arguments: [("read", "deny", OAuth2ClientError.Kind.accessDenied), ("expired", "allow", .expiredToken)])
    func `a device that is refused, or too late, is told so`(scope: String, decision: String, kind: OAuth2ClientError.Kind) async throws {
        let clock = TestClock()
        let client = try await client(clock: clock)
        let device = try await client.deviceAuthorization(scopes: [scope])
        #expect(try await Self.post("device", ["user_code": device.userCode, "decision": decision]) == 200)
        let token = Task { try await client.token(for: device) }
        try await wait(clock, .seconds(5))
        let error = await #expect(throws: OAuth2ClientError.self) { try await token.value }
        #expect(error?.kind == kind)
        #expect(error?.isRefusal == true)
    }
}

#if os(Linux) || os(macOS)
/// Against oidc-provider-mock.
@Suite(
    .timeLimit(.minutes(1)), .enabled(if: StartedServer.openID.isExpected, "needs oidc-provider-mock: run Scripts/test"))
struct OpenIDProviderTests {
    @Test func `a provider is found by OpenID Connect's document, logs in, and refreshes`() async throws {
        let issuer = try StartedServer.openID.url
        let server = try await OAuth2AuthorizationServer.discover(issuer: issuer)
        #expect(server.issuer == issuer.absoluteString)
        #expect(server.scopes?.contains("openid") == true)

        let client = OAuth2Client(clientID: "tool", authentication: .secretBasic("any"), server: server)
        let token = try await client.logIn(scopes: ["openid", "email"]) { page in
            _ = await Session.response(from: page, method: .post, form: ["sub": "ada@example.com"])
        }
        #expect(token.scopes == ["openid", "email"])
        let renewed = try await client.refresh(token)
        #expect(renewed.accessToken != token.accessToken)

        let user = await Session.response(
            from: issuer.appendingPathComponent("userinfo"), headers: [.authorization(bearerToken: renewed.accessToken)])
        #expect(user.value?.contains("ada@example.com") == true)
    }
}
#endif
