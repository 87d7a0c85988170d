// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OAuth2DiscoveryTests {
    private let fixture = OAuth2Fixture()

    private func discover(
        _ issuer: String, by documents: [OAuth2AuthorizationServer.MetadataDocument] = [.oauth2, .openIDConnect]
    ) async throws(OAuth2ClientError) -> OAuth2AuthorizationServer {
        guard let url = URL(string: issuer) else {
            throw OAuth2ClientError(.invalidArgument, attempting: "The test", "its issuer is no URL")
        }
        return try await OAuth2AuthorizationServer.discover(
            issuer: url, by: documents, through: fixture.transport, options: fixture.options)
    }

    private func metadata(issuer: String = "https://login.example", _ fields: String = "\"x\": 1") -> ScriptedAnswer {
        .json("{\"issuer\": \"\(issuer)\", \"token_endpoint\": \"https://login.example/token\", \(fields)}")
    }

    @Test func `a server's document says where it is asked for what`() async throws {
        fixture.transport.enqueue(
            metadata(
                #""authorization_endpoint": "https://login.example/authorize", "device_authorization_endpoint": "https://login.example/device", "#
                    + #""revocation_endpoint": "https://login.example/revoke", "authorization_response_iss_parameter_supported": true, "#
                    + #""token_endpoint_auth_methods_supported": ["none", "client_secret_basic"], "scopes_supported": ["openid"]"#))
        let server = try await discover("https://login.example")
        #expect(
            server
                == OAuth2AuthorizationServer(
                    issuer: "https://login.example", authorizationEndpoint: URL(string: "https://login.example/authorize"),
                    tokenEndpoint: URL(string: "https://login.example/token"),
                    deviceAuthorizationEndpoint: URL(string: "https://login.example/device"),
                    revocationEndpoint: URL(string: "https://login.example/revoke"), namesIssuerInRedirects: true,
                    clientAuthenticationMethods: ["none", "client_secret_basic"], scopes: ["openid"]))
        #expect(fixture.transport.messages[0].request.method == "GET")
    }

    @Test(
        arguments: [
            (
                "https://login.example", "https://login.example/.well-known/oauth-authorization-server",
                "https://login.example/.well-known/openid-configuration"
            ),
            (
                "https://login.example/", "https://login.example/.well-known/oauth-authorization-server",
                "https://login.example/.well-known/openid-configuration"
            ),
            (
                "https://login.example:8443/a/b", "https://login.example:8443/.well-known/oauth-authorization-server/a/b",
                "https://login.example:8443/a/b/.well-known/openid-configuration"
            ),
        ])
    func `the document is where the RFC has it, then where OpenID Connect has it`(issuer: String, first: String, second: String)
        async throws
    {
        fixture.transport.enqueue(.status(404), metadata(issuer: issuer))
        #expect(try await discover(issuer).issuer == issuer)
        #expect(fixture.transport.messages.map(\.request.url.absoluteString) == [first, second])
    }

    @Test(arguments: ["https://other.example", "https://login.example/", "HTTPS://login.example", "https://u:p@login.example"])
    func `a document of another issuer is refused`(issuer: String) async {
        fixture.transport.enqueue(metadata(issuer: issuer))
        let error = await failure { () throws(OAuth2ClientError) in try await discover("https://login.example") }
        #expect(error?.kind == .issuerMismatch)
        #expect(error?.description.contains("u:p") == false)
        #expect(fixture.transport.messages.count == 1)
    }

    @Test(
        arguments: [
            (.status(404), .unexpectedStatus), (.status(500), .unexpectedStatus), (.ok("<html>"), .malformedResponse),
            (.json("{}"), .malformedResponse), (.json("[]"), .malformedResponse),
            (.status(302, fields: ["Location": "https://e.example/"]), .redirected),
            (.json(#"{"issuer": "https://login.example", "token_endpoint": 1}"#), .malformedResponse),
            (.json(#"{"issuer": "https://login.example", "token_endpoint": "http://login.example/token"}"#), .insecureEndpoint),
            (.json(#"{"issuer": "https://login.example", "token_endpoint": "/token"}"#), .invalidArgument),
            (.json(#"{"issuer": "https://login.example", "token_endpoint": ""}"#), .malformedResponse),
            (.failure(.connectFailed), .unreachable),
        ] as [(ScriptedAnswer, OAuth2ClientError.Kind)])
    func `a server without a document that makes sense is a typed error`(answer: ScriptedAnswer, kind: OAuth2ClientError.Kind) async {
        fixture.transport.enqueue(answer)
        let error = await failure { () throws(OAuth2ClientError) in try await discover("https://login.example", by: [.openIDConnect]) }
        #expect(error?.kind == kind)
    }

    @Test(arguments: [
        "login.example", "https://login.example/?a", "https://login.example/#a", "https://u@login.example", "ftp://login.example",
    ])
    func `what is no issuer is not asked`(issuer: String) async {
        #expect(await failure { () throws(OAuth2ClientError) in try await discover(issuer) }?.kind == .invalidArgument)
        #expect(fixture.transport.messages.isEmpty)
    }

    @Test func `plain http to elsewhere is not asked`() async {
        #expect(await failure { () throws(OAuth2ClientError) in try await discover("http://login.example") }?.kind == .insecureEndpoint)
        #expect(fixture.transport.messages.isEmpty)
    }
}
