// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct OAuth2TokenAuthenticatorTests {
    /// An API that takes one token, and beside it the token endpoint that gives it.
    private func server(takes token: String = "new", _ answer: ScriptedResponse? = nil) throws -> TestServer {
        try TestServer { request in
            if request.path == "/token" {
                return answer ?? .json("{\"access_token\": \"\(token)\", \"token_type\": \"Bearer\", \"refresh_token\": \"rt-2\"}")
            }
            return request.fields.values("Authorization") == ["Bearer \(token)"] ? .ok("in") : .status(401)
        }
    }

    private func client(_ server: TestServer) -> OAuth2Client {
        OAuth2Client(clientID: "app", server: OAuth2AuthorizationServer(tokenEndpoint: server.url("/token")))
    }

    private func interceptor(
        _ server: TestServer, _ token: OAuth2TokenResponse?, renewal: OAuth2TokenAuthenticator.Renewal = .refreshToken,
        origins: Set<Origin>? = nil
    ) -> AuthenticationInterceptor<OAuth2TokenAuthenticator> {
        AuthenticationInterceptor(
            authenticator: OAuth2TokenAuthenticator(client: client(server), renewal: renewal, origins: origins),
            credential: OAuth2Credential(token))
    }

    private static let old = OAuth2TokenResponse(accessToken: "old", refreshToken: "rt-1")

    @Test func `a refused token is refreshed once for all, and the rotated refresh token kept`() async throws {
        let server = try server()
        let interceptor = interceptor(server, Self.old)
        let session = Session.alone(interceptor: interceptor)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<50 {
                group.addTask { try await session.request(server.url("/\(number)")).validate().serializingString().value }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "in", count: 50))
        #expect(
            server.requests.filter { $0.path == "/token" }.map(\.bodyText) == ["grant_type=refresh_token&refresh_token=rt-1&client_id=app"])
        #expect(interceptor.credential?.token == OAuth2TokenResponse(accessToken: "new", refreshToken: "rt-2"))
    }

    @Test func `a token that is about to end is refreshed before anything is sent`() async throws {
        let server = try server()
        let ending = OAuth2TokenResponse(accessToken: "old", expiryDate: Date(timeIntervalSinceNow: 20), refreshToken: "rt-1")
        let session = Session.alone(interceptor: interceptor(server, ending))
        #expect(try await session.request(server.url("/a")).validate().serializingString().value == "in")
        #expect(server.requests.map(\.path) == ["/token", "/a"])
    }

    @Test(arguments: [600, 1e9, 1e300, .infinity] as [TimeInterval])
    func `a token that a server refuses is refreshed, however long it is good by the clock`(seconds: TimeInterval) async throws {
        let server = try server()
        let old = OAuth2TokenResponse(
            accessToken: "old", expiryDate: Date(timeIntervalSinceNow: seconds), refreshToken: "rt-1", issueDate: Date())
        let session = Session.alone(interceptor: interceptor(server, old))
        #expect(try await session.request(server.url("/a")).validate().serializingString().value == "in")
        #expect(server.requests.map(\.path) == ["/a", "/token", "/a"])
    }

    @Test(arguments: [-1, -3600, -1e9, -1e300, -.infinity] as [TimeInterval])
    func `a token that has ended by the clock is refreshed once, though servers may still take it`(seconds: TimeInterval) async throws {
        let server = try server(
            .json(#"{"access_token": "new", "token_type": "Bearer", "refresh_token": "rt-2", "expires_in": 3600}"#))
        let old = OAuth2TokenResponse(accessToken: "new", expiryDate: Date(timeIntervalSinceNow: seconds), refreshToken: "rt-1")
        let session = Session.alone(interceptor: interceptor(server, old))
        for _ in 0..<3 { #expect(try await session.request(server.url("/a")).validate().serializingString().value == "in") }
        #expect(server.requests.map(\.path) == ["/token", "/a", "/a", "/a"])
    }

    @Test(arguments: ["", #", "expires_in": 29"#, #", "expires_in": 1e300"#, #", "expires_in": null"#])
    func `a new token serves more than one request, however short or long it lasts`(lifetime: String) async throws {
        let server = try server(.json("{\"access_token\": \"new\", \"token_type\": \"Bearer\", \"refresh_token\": \"rt-2\"\(lifetime)}"))
        let session = Session.alone(interceptor: interceptor(server, Self.old))
        for _ in 0..<10 { #expect(try await session.request(server.url("/a")).validate().serializingString().value == "in") }
        #expect(server.requests.filter { $0.path == "/token" }.count == 1)
    }

    @Test(arguments: ["0", "-3600"])
    func `a new token that has ended already is what the requests fail with`(lifetime: String) async throws {
        let server = try server(.json("{\"access_token\": \"new\", \"token_type\": \"Bearer\", \"expires_in\": \(lifetime)}"))
        let session = Session.alone(interceptor: interceptor(server, Self.old))
        let response = await session.request(server.url("/a")).validate().serializingString().response
        guard case .requestRetryFailed(let error, _)? = response.error else {
            Issue.record("unexpected error: \(String(describing: response.error))")
            return
        }
        #expect((error as? OAuth2ClientError)?.kind == .expiredOnArrival)
        #expect(server.requests.map(\.path) == ["/a", "/token"])
    }

    @Test func `client credentials get the first token, too`() async throws {
        let server = try server()
        let session = Session.alone(interceptor: interceptor(server, nil, renewal: .clientCredentials(scopes: ["read"])))
        #expect(try await session.request(server.url("/a")).validate().serializingString().value == "in")
        #expect(server.requests.map(\.path) == ["/token", "/a"])
        #expect(server.requests[0].bodyText == "grant_type=client_credentials&scope=read&client_id=app")
    }

    @Test(arguments: [("invalid_grant", OAuth2ClientError.Kind.invalidGrant), ("server_error", .serverError)])
    func `a refresh that is refused is what the requests fail with`(code: String, kind: OAuth2ClientError.Kind) async throws {
        let server = try server(.json("{\"error\": \"\(code)\"}", status: 400))
        let session = Session.alone(interceptor: interceptor(server, Self.old))
        let response = await session.request(server.url("/a")).validate().serializingString().response
        guard case .requestRetryFailed(let error, _)? = response.error else {
            Issue.record("unexpected error: \(String(describing: response.error))")
            return
        }
        #expect((error as? OAuth2ClientError)?.kind == kind)
        #expect("\(String(describing: response.error))".contains("rt-1") == false)
    }

    private func server(_ answer: ScriptedResponse) throws -> TestServer { try server(takes: "new", answer) }

    @Test func `without a token and a way to one, requests fail and say so`() async throws {
        let server = try server()
        let session = Session.alone(interceptor: interceptor(server, nil))
        let response = await session.request(server.url("/a")).validate().serializingString().response
        guard case .requestAdaptationFailed(let error)? = response.error else {
            Issue.record("unexpected error: \(String(describing: response.error))")
            return
        }
        #expect((error as? OAuth2ClientError)?.kind == .missingRefreshToken)
        #expect(server.requestCount == 0)
    }

    @Test func `a token goes to its origins only, and a 401 from elsewhere refreshes nothing`() async throws {
        let other = try TestServer { _ in .status(401) }
        let server = try server()
        let origin = try #require(Origin(url: server.url("/")))
        let session = Session.alone(interceptor: interceptor(server, Self.old, origins: [origin]))
        #expect(await session.request(other.url("/")).validate().serializingString().response.response?.statusCode == 401)
        #expect(other.requests.map { $0.fields.values("Authorization") } == [[]])
        #expect(server.requestCount == 0)
        #expect(try await session.request(server.url("/a")).validate().serializingString().value == "in")
    }

    @Test func `a token goes over plain http to no other machine, unless that is allowed`() throws {
        let server = try server()
        let credential = OAuth2Credential(Self.old)
        for (allows, url, isSigned) in [
            (false, "http://api.example/", false), (true, "http://api.example/", true), (false, "https://api.example/", true),
            (false, "http://127.0.0.1:8080/", true),
        ] {
            let authenticator = OAuth2TokenAuthenticator(client: client(server), allowsPlaintextTransport: allows)
            var request = URLRequest(url: try #require(URL(string: url)))
            authenticator.apply(credential, to: &request)
            #expect((request.value(forHTTPHeaderField: "Authorization") == "Bearer old") == isSigned, "\(url)")
        }
    }

    @Test func `a 403 is no matter of the token`() async throws {
        let server = try TestServer { _ in .status(403) }
        let session = Session.alone(interceptor: interceptor(server, Self.old))
        #expect(await session.request(server.url("/")).validate().serializingString().response.response?.statusCode == 403)
        #expect(server.requestCount == 1)
    }

    @Test func `a credential can be kept, and prints no token`() throws {
        let credential = OAuth2Credential(
            OAuth2TokenResponse(accessToken: "secret-access", refreshToken: "secret-refresh"), leeway: .seconds(5))
        let data = try JSONEncoder().encode(credential)
        #expect(try JSONDecoder().decode(OAuth2Credential.self, from: data) == credential)
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!"\(credential) \(String(reflecting: credential)) \(dumped)".contains("secret"))
    }

    @Test func `a credential requires a refresh without a token, and within the leeway`() {
        func credential(_ seconds: TimeInterval?) -> OAuth2Credential {
            OAuth2Credential(
                OAuth2TokenResponse(accessToken: "a", expiryDate: seconds.map { Date(timeIntervalSinceNow: $0) }), leeway: .seconds(60))
        }
        #expect(OAuth2Credential().requiresRefresh)
        #expect(credential(50).requiresRefresh)
        #expect(credential(-50).requiresRefresh)
        #expect(!credential(1000).requiresRefresh)
        #expect(!credential(nil).requiresRefresh)
    }
}

/// What a token endpoint can do on a real connection.
@Suite(.timeLimit(.minutes(1)))
struct OAuth2TokenEndpointTests {
    private func error(
        _ endpoint: URL, _ clock: TestClock = TestClock(), contentLimit: Int = 262_144
    ) async -> OAuth2ClientError? {
        let client = OAuth2Client(
            clientID: "c", server: OAuth2AuthorizationServer(tokenEndpoint: endpoint),
            options: OAuth2Client.Options {
                $0.clock = clock
                $0.contentLimit = contentLimit
            })
        do throws(OAuth2ClientError) {
            _ = try await client.clientCredentials()
            return nil
        } catch {
            return error
        }
    }

    private static let badAnswers: [(ScriptedResponse, OAuth2ClientError.Kind)] = [
        (.ok("<html>"), .malformedResponse), (.status(500, "<html>"), .unexpectedStatus),
        (.redirect(to: "/elsewhere", status: 307), .redirected),
    ]
    // URLSession on Linux may end the process with these (see `URLSessionTransport`).
    private static let worseAnswers: [(ScriptedResponse, OAuth2ClientError.Kind)] = [
        (.close, .unreachable), (.reset, .unreachable), (.raw("nonsense\r\n\r\n"), .unreachable),
        (.repeating(Data("{".utf8), count: 300_000), .responseTooLarge),
    ]
    private static var survivableAnswers: [(ScriptedResponse, OAuth2ClientError.Kind)] {
        DefaultTransport.make().capabilities.contains(.strictFraming) ? badAnswers + worseAnswers : badAnswers
    }

    @Test(arguments: survivableAnswers)
    func `each bad answer ends in its error`(answer: ScriptedResponse, kind: OAuth2ClientError.Kind) async throws {
        let server = try TestServer { _ in answer }
        #expect(await error(server.url("/token"))?.kind == kind)
        #expect(server.requests.map(\.path) == ["/token"])
    }

    @Test func `nothing, and a slow trickle, are waited for no longer than allowed`() async throws {
        // What trickles ends within its head, which URLSession on Linux may not survive.
        for isTrickle in DefaultTransport.make().capabilities.contains(.strictFraming) ? [false, true] : [false] {
            let gate = TestGate()
            let answer = ScriptedResponse.json(#"{"access_token": "at", "token_type": "Bearer"}"#)
            let server = try TestServer { _ in isTrickle ? answer.trickled(by: gate) : answer.stalled(by: gate) }
            let clock = TestClock()
            async let error = error(server.url("/token"), clock)
            try await gate.waitForWaiters()
            // Single bytes do not prolong it.
            if isTrickle { gate.release(20) }
            try await clock.waitForSleepers(remaining: [.seconds(30)])
            clock.advance(by: .seconds(30))
            #expect(await error?.kind == .timedOut)
            gate.open()
        }
    }

    @Test func `nobody at the other end is an error that says so`() async throws {
        let port = try UnusedPort()
        let error = await error(port.url("/token"))
        withExtendedLifetime(port) {}
        #expect(error?.kind == .unreachable)
        #expect((error?.underlyingError as? HTTPError)?.kind == .connectFailed)
    }
}
