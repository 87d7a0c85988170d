// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import HTTPTesting
import Testing

/// No secret of a client, no token, code or verifier is part of a text that could be logged.
@Suite(.timeLimit(.minutes(1)))
struct OAuth2SecretsTests {
    private static let secret = "p:s+cr/t"
    private static let token = OAuth2TokenResponse(accessToken: "known-access", scopes: ["a"], refreshToken: "known-refresh")

    private static var forms: [String] {
        let secrets = [secret, "p%3As%2Bcr%2Ft", "known-access", "known-refresh", "known-code"]
        return secrets + (secrets + ["c:p%3As%2Bcr%2Ft"]).map { Data($0.utf8).base64EncodedString() }
    }

    private func expectSilence(_ values: Any..., sourceLocation: SourceLocation = #_sourceLocation) {
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped, (value as? any Error)?.localizedDescription ?? ""] {
                for form in Self.forms where text.contains(form) {
                    Issue.record("“\(form)” is in “\(text)”", sourceLocation: sourceLocation)
                }
            }
        }
    }

    @Test func `values do not print their secrets`() throws {
        let fixture = OAuth2Fixture()
        for authentication in [OAuth2ClientAuthentication.secretBasic(Self.secret), .secretPost(Self.secret)] {
            let client = fixture.client(authentication)
            let request = try client.authorizationRequest(redirectURL: try #require(URL(string: "http://127.0.0.1:1/")))
            expectSilence(authentication, client, request, Self.token, [Self.token], Optional(Self.token) as Any)
        }
    }

    @Test func `a store gets the whole token`() throws {
        let data = try JSONEncoder().encode(Self.token)
        #expect(try JSONDecoder().decode(OAuth2TokenResponse.self, from: data) == Self.token)
    }

    /// A server that sends back all that it got, in each place where it can put words.
    @Test(arguments: [200, 302, 400, 500], [true, false])
    func `errors do not repeat what a server echoes`(status: Int, isRefusal: Bool) async throws {
        let transport = ScriptedTransport { message in
            let form = String(decoding: message.body, as: UTF8.self)
            let words = [form, form.removingPercentEncoding ?? "", message.request.fields["Authorization"] ?? ""].joined(separator: " ")
            let refusal =
                "{\"error\": \"\(words)\", \"error_description\": \"\(words)\", \"error_uri\": \"https://e.example/\(words)?\(words)\"}"
            return .status(status, fields: ["Location": "https://e.example/?\(form)"], isRefusal ? refusal : words)
        }
        for authentication in [OAuth2ClientAuthentication.secretBasic(Self.secret), .secretPost(Self.secret)] {
            let client = OAuth2Client(
                clientID: "c", authentication: authentication, server: OAuth2Fixture.server, transport: transport,
                options: OAuth2Fixture().options)
            let request = try client.authorizationRequest(redirectURL: try #require(URL(string: "http://127.0.0.1:1/")))
            let errors = [
                await failure { () throws(OAuth2ClientError) in try await client.clientCredentials() },
                await failure { () throws(OAuth2ClientError) in try await client.refresh(Self.token) },
                await failure { () throws(OAuth2ClientError) in try await client.token(for: request, code: "known-code") },
                await failure { () throws(OAuth2ClientError) in try await client.deviceAuthorization() },
            ]
            for error in errors {
                let error = try #require(error)
                let words = [error.serverCode, error.serverDescription, error.serverURI].compactMap { $0 }
                expectSilence(error, words)
                #expect(isRefusal == !words.isEmpty || status == 302)
            }
        }
    }
}
