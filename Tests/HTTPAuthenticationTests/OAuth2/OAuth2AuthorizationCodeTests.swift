// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPAuthentication

@Suite(.timeLimit(.minutes(1)))
struct OAuth2AuthorizationCodeTests {
    private let fixture = OAuth2Fixture()
    private static let redirect = "http://127.0.0.1:4711/callback"

    private func request(
        _ server: OAuth2AuthorizationServer = OAuth2Fixture.server, redirect: String = Self.redirect
    ) throws -> (request: OAuth2AuthorizationRequest, query: [String: String]) {
        let request = try fixture.client(server: server).authorizationRequest(
            redirectURL: try #require(URL(string: redirect)), scopes: ["write", "read"], additionalParameters: ["login_hint": "a+b@c"])
        let items = try #require(URLComponents(url: request.pageURL, resolvingAgainstBaseURL: false)?.queryItems)
        return (request, Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") }))
    }

    private func failure(_ request: OAuth2AuthorizationRequest, _ query: String, redirect: String = Self.redirect) async throws
        -> OAuth2ClientError?
    {
        let url = try #require(URL(string: "\(redirect)?\(query)"))
        return await HTTPAuthenticationTests.failure { () throws(OAuth2ClientError) in
            try await fixture.client().token(for: request, redirectedTo: url)
        }
    }

    @Test func `the code challenge is RFC 7636's`() throws {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(Base64URL.string(try HashFunction.sha256.hash(Array(verifier.utf8))) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `the page asks for a code, with a state and a challenge of its own each time`() throws {
        let (request, query) = try request()
        #expect(request.pageURL.absoluteString.hasPrefix("https://login.example/authorize?tenant=1&response_type=code&"))
        #expect(
            query.filter { !["state", "code_challenge"].contains($0.key) } == [
                "tenant": "1", "response_type": "code", "client_id": "my client", "redirect_uri": Self.redirect, "scope": "read write",
                "code_challenge_method": "S256", "login_hint": "a+b@c",
            ])
        #expect(query["state"]?.count == 43)
        #expect(query["code_challenge"] == Base64URL.string(try HashFunction.sha256.hash(Array(request.verifier.utf8))))
        #expect(43...128 ~= request.verifier.count)
        let (other, otherQuery) = try self.request()
        #expect(otherQuery["state"] != query["state"])
        #expect(other.verifier != request.verifier)
    }

    @Test func `the code is exchanged for a token, once`() async throws {
        fixture.transport.enqueue(.json(#"{"access_token": "at", "token_type": "Bearer"}"#))
        let (request, query) = try request()
        let url = try #require(URL(string: "\(Self.redirect)?code=a%2Bb+c&state=\(query["state"] ?? "")&iss=https%3A%2F%2Flogin.example"))
        let token = try await fixture.client().token(for: request, redirectedTo: url)
        #expect(token == OAuth2TokenResponse(accessToken: "at", scopes: ["read", "write"]))
        #expect(
            fixture.forms == [
                "grant_type=authorization_code&code=a%2Bb%20c&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback"
                    + "&code_verifier=\(request.verifier)&client_id=my%20client"
            ])
        let again = await HTTPAuthenticationTests.failure { () throws(OAuth2ClientError) in
            try await fixture.client().token(for: request, redirectedTo: url)
        }
        #expect(again?.kind == .alreadyUsed)
        #expect(fixture.transport.messages.count == 1)
    }

    @Test(
        arguments: [
            ("code=the-code&state=wrong", .stateMismatch), ("code=the-code", .stateMismatch), ("error=access_denied", .stateMismatch),
            ("", .stateMismatch), ("state=STATE", .malformedRedirect), ("code=&state=STATE", .malformedRedirect),
            ("code=a&code=b&state=STATE", .malformedRedirect), ("code=a&state=STATE&state=STATE", .malformedRedirect),
            ("code=%ff&state=STATE", .malformedRedirect), ("code=a&state=STATE&iss=https%3A%2F%2Fother.example", .issuerMismatch),
            ("error=access_denied&state=STATE", .accessDenied), ("error=server_error&state=STATE", .serverError),
            ("error=temporarily_unavailable&state=STATE", .temporarilyUnavailable),
            ("error=unsupported_response_type&state=STATE&code=a", .unsupportedResponseType),
            ("error=login_required&state=STATE", .refused), ("error=&state=STATE", .refused),
        ] as [(String, OAuth2ClientError.Kind)])
    func `a redirect that is not this log-in's success is a typed error, and nothing is sent`(
        query: String, kind: OAuth2ClientError.Kind
    ) async throws {
        let (request, parameters) = try request()
        let error = try await failure(request, query.replacing("STATE", with: parameters["state"] ?? ""))
        #expect(error?.kind == kind)
        #expect(error?.description.contains("the-code") == false)
        #expect(fixture.transport.messages.isEmpty)
    }

    @Test(
        arguments: [
            "http://127.0.0.1:4712/callback", "http://127.0.0.1:4711/", "https://127.0.0.1:4711/callback", "http://localhost:4711/callback",
        ])
    func `a redirect to elsewhere is refused`(redirect: String) async throws {
        let (request, query) = try request()
        let error = try await failure(request, "code=a&state=\(query["state"] ?? "")", redirect: redirect)
        #expect(error?.kind == .malformedRedirect)
    }

    @Test func `an app's own scheme does`() throws {
        let (request, query) = try request(redirect: "com.example.app:/callback")
        let url = try #require(URL(string: "com.example.app:/callback?code=c&state=\(query["state"] ?? "")"))
        #expect(try request.code(in: url) == "c")
    }

    @Test func `a server that always names itself has to; one whose name is not known may`() async throws {
        var server = OAuth2Fixture.server
        server.namesIssuerInRedirects = true
        let (request, query) = try request(server)
        let error = try await failure(request, "code=a&state=\(query["state"] ?? "")")
        #expect(error?.kind == .issuerMismatch)

        server.namesIssuerInRedirects = false
        server.issuer = nil
        let (other, otherQuery) = try self.request(server)
        let url = try #require(URL(string: "\(Self.redirect)?code=c&iss=x&state=\(otherQuery["state"] ?? "")"))
        #expect(try other.code(in: url) == "c")
    }

    @Test func `a refusal's words have no script and no control characters in them`() async throws {
        let (request, query) = try request()
        let state = query["state"] ?? ""
        let error = try await failure(
            request, "error=access_denied&error_description=%1B%5B1mYour%20state%20\(state)%0A%3Cscript%3E&state=\(state)")
        #expect(error?.serverDescription == "[1mYour state <redacted><script>")
    }

    @Test func `a wrong answer does not use up the log-in`() async throws {
        let (request, query) = try request()
        #expect(try await failure(request, "code=a&state=wrong")?.kind == .stateMismatch)
        let url = try #require(URL(string: "\(Self.redirect)?code=c&state=\(query["state"] ?? "")"))
        #expect(try request.code(in: url) == "c")
    }

    @Test func `what makes no log-in is an error`() throws {
        func kind(_ server: OAuth2AuthorizationServer, redirect: String = Self.redirect) throws -> OAuth2ClientError.Kind? {
            let url = try #require(URL(string: redirect))
            do throws(OAuth2ClientError) {
                _ = try fixture.client(server: server).authorizationRequest(redirectURL: url)
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(try kind(OAuth2AuthorizationServer()) == .missingEndpoint)
        #expect(
            try kind(OAuth2AuthorizationServer(authorizationEndpoint: URL(string: "http://login.example/authorize"))) == .insecureEndpoint)
        #expect(try kind(OAuth2Fixture.server, redirect: "/callback") == .invalidArgument)
        #expect(try kind(OAuth2Fixture.server, redirect: Self.redirect + "#x") == .invalidArgument)
    }

    /// Parameters in any order, doubled, cut and garbled; half of them with the right state.
    @Test(arguments: Seeds.kept + Seeds.fresh(count: 200))
    func `any redirect brings a code or a typed error, and never traps`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (request, parameters) = try request()
        let pieces = [
            "code=c", "state=x", "error=e", "error_description=%0A%3Cscript%3E", "iss=https%3A%2F%2Flogin.example", "&", "=", "%", "%zz",
            "%00", "a=b=c", "+", "state=", "code", "%E4=1",
        ]
        let state = "state=\(parameters["state"] ?? "")"
        var chosen = (0..<Int.random(in: 0..<6, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
        if Bool.random(using: &random) { chosen.insert(state, at: Int.random(in: 0...chosen.count, using: &random)) }
        guard let url = URL(string: "\(Self.redirect)?\(chosen.joined(separator: "&"))") else { return }
        do throws(OAuth2ClientError) {
            #expect(try request.code(in: url) == "c")
            #expect(chosen.contains(state))
        } catch {
            #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
            #expect(chosen.contains(state) || [.stateMismatch, .malformedRedirect].contains(error.kind))
        }
    }
}
