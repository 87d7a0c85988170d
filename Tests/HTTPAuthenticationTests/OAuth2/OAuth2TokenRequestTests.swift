// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OAuth2TokenRequestTests {
    private let fixture = OAuth2Fixture()

    private static let answer =
        #"{"access_token": "at", "token_type": "bearer", "expires_in": 3600, "refresh_token": "rt", "unknown": [1]}"#

    @Test func `client credentials bring a token, whose end is counted from when it was asked for`() async throws {
        fixture.transport.enqueue(.json(Self.answer))
        let token = try await fixture.client(.secretBasic("s:e&cret")).clientCredentials(
            scopes: ["b", "a"], additionalParameters: ["resource": "https://api.example/?a b", "audience": "x"])
        #expect(
            token
                == OAuth2TokenResponse(
                    accessToken: "at", tokenType: "bearer", expiryDate: OAuth2Fixture.begin.addingTimeInterval(3600), scopes: ["a", "b"],
                    refreshToken: "rt", issueDate: OAuth2Fixture.begin))
        let message = fixture.transport.messages[0]
        #expect(message.request.method == "POST")
        #expect(message.request.url.absoluteString == "https://login.example/token")
        #expect(message.request.fields["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(message.request.fields["Accept"] == "application/json")
        #expect(
            fixture.forms == [
                "grant_type=client_credentials&scope=a%20b&audience=x&resource=https%3A%2F%2Fapi.example%2F%3Fa%20b"
            ])
    }

    @Test func `a client shows who it is by Basic, in the form, or by its name alone`() async throws {
        fixture.transport.enqueue(.json(Self.answer), .json(Self.answer), .json(Self.answer))
        _ = try await fixture.client(.secretBasic("s:e&cret")).clientCredentials()
        _ = try await fixture.client(.secretPost("s:e&cret")).clientCredentials()
        _ = try await fixture.client(.none).clientCredentials()
        #expect(
            fixture.transport.messages.map { $0.request.fields["Authorization"] } == [
                "Basic " + Data("my%20client:s%3Ae%26cret".utf8).base64EncodedString(), nil, nil,
            ])
        #expect(
            fixture.forms == [
                "grant_type=client_credentials", "grant_type=client_credentials&client_id=my%20client&client_secret=s%3Ae%26cret",
                "grant_type=client_credentials&client_id=my%20client",
            ])
    }

    @Test func `a refresh token is replaced where the server rotates it, and kept where it does not`() async throws {
        fixture.transport.enqueue(
            .json(#"{"access_token": "at-2", "token_type": "Bearer", "refresh_token": "rt-2"}"#),
            .json(#"{"access_token": "at-3", "token_type": "Bearer", "scope": "a"}"#))
        let first = OAuth2TokenResponse(accessToken: "at-1", scopes: ["a", "b"], refreshToken: "rt-1")
        let second = try await fixture.client().refresh(first)
        #expect(second == OAuth2TokenResponse(accessToken: "at-2", scopes: ["a", "b"], refreshToken: "rt-2"))
        let third = try await fixture.client().refresh(second, scopes: ["a"])
        #expect(third == OAuth2TokenResponse(accessToken: "at-3", scopes: ["a"], refreshToken: "rt-2"))
        #expect(
            fixture.forms == [
                "grant_type=refresh_token&refresh_token=rt-1&client_id=my%20client",
                "grant_type=refresh_token&refresh_token=rt-2&scope=a&client_id=my%20client",
            ])
    }

    @Test func `what cannot be sent is an error that says why, and nothing is sent`() async {
        let client = fixture.client()
        #expect(
            await failure { () throws(OAuth2ClientError) in try await client.refresh(OAuth2TokenResponse(accessToken: "a")) }?.kind
                == .missingRefreshToken)
        let clashing = await failure { () throws(OAuth2ClientError) in
            try await client.clientCredentials(additionalParameters: ["client_secret": "x"])
        }
        #expect(clashing?.kind == .invalidArgument)
        #expect(clashing?.description.contains("client_secret") == true)
        let unknown = fixture.client(server: OAuth2AuthorizationServer())
        #expect(await failure { () throws(OAuth2ClientError) in try await unknown.clientCredentials() }?.kind == .missingEndpoint)
        let plain = fixture.client(server: OAuth2AuthorizationServer(tokenEndpoint: URL(string: "http://login.example/token")))
        let insecure = await failure { () throws(OAuth2ClientError) in try await plain.clientCredentials() }
        #expect(insecure?.kind == .insecureEndpoint)
        #expect(insecure?.description.contains("use https") == true)
        for text in ["/token", "ftp://login.example/", "https://login.example/token#x"] {
            let odd = fixture.client(server: OAuth2AuthorizationServer(tokenEndpoint: URL(string: text)))
            #expect(await failure { () throws(OAuth2ClientError) in try await odd.clientCredentials() }?.kind == .invalidArgument)
        }
        #expect(fixture.transport.messages.isEmpty)
    }

    @Test(arguments: ["http://127.0.0.1:8080/token", "http://localhost/token", "http://[::1]/token"])
    func `http is taken within the machine`(endpoint: String) async throws {
        fixture.transport.enqueue(.json(Self.answer))
        _ = try await fixture.client(server: OAuth2AuthorizationServer(tokenEndpoint: URL(string: endpoint))).clientCredentials()
        #expect(fixture.transport.messages.count == 1)
    }

    @Test func `http to elsewhere is taken where it is allowed`() async throws {
        fixture.transport.enqueue(.json(Self.answer))
        var options = fixture.options
        options.allowsPlaintextTransport = true
        let client = OAuth2Client(
            clientID: "c", server: OAuth2AuthorizationServer(tokenEndpoint: URL(string: "http://login.example/token")),
            transport: fixture.transport, options: options)
        _ = try await client.clientCredentials()
        #expect(fixture.transport.messages.count == 1)
    }

    @Test func `a refresh token, then the access token, are revoked`() async throws {
        fixture.transport.enqueue(.ok, .ok)
        try await fixture.client(.secretPost("secret")).revoke(OAuth2TokenResponse(accessToken: "at", refreshToken: "rt"))
        #expect(fixture.transport.messages.map(\.request.url.path) == ["/revoke", "/revoke"])
        #expect(
            fixture.forms == [
                "token=rt&token_type_hint=refresh_token&client_id=my%20client&client_secret=secret",
                "token=at&token_type_hint=access_token&client_id=my%20client&client_secret=secret",
            ])
    }

    @Test func `a server that revokes only refresh tokens is let be; one that revokes nothing is an error`() async throws {
        let refusal = ScriptedAnswer.json(#"{"error": "unsupported_token_type"}"#, status: 400)
        fixture.transport.enqueue(.ok, refusal, refusal, .status(503))
        let client = fixture.client()
        try await client.revoke(OAuth2TokenResponse(accessToken: "at", refreshToken: "rt"))
        let refused = await failure { () throws(OAuth2ClientError) in try await client.revoke(OAuth2TokenResponse(accessToken: "at")) }
        #expect(refused?.kind == .unsupportedTokenType)
        let failed = await failure { () throws(OAuth2ClientError) in try await client.revoke(OAuth2TokenResponse(accessToken: "at")) }
        #expect(failed?.kind == .unexpectedStatus)
        #expect(failed?.status == 503)
    }
}
