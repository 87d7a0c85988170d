// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OAuth2TokenAnswerTests {
    private let fixture = OAuth2Fixture()

    private func token(_ answer: ScriptedAnswer) async throws(OAuth2ClientError) -> OAuth2TokenResponse {
        fixture.transport.enqueue(answer)
        return try await fixture.client(.secretBasic("secret")).clientCredentials(scopes: ["asked"])
    }

    private func error(_ answer: ScriptedAnswer) async -> OAuth2ClientError? {
        await failure { () throws(OAuth2ClientError) in try await token(answer) }
    }

    @Test(
        arguments: [
            (#""expires_in": 60, "scope": "a b""#, 60, ["a", "b"]), (#""expires_in": "60""#, 60, ["asked"]),
            (#""expires_in": 1.5"#, 1.5, ["asked"]), (#""scope": """#, nil, []), (#""expires_in": null"#, nil, ["asked"]),
            (#""expires_in": 1e300"#, nil, ["asked"]), (#""expires_in": "99999999999""#, nil, ["asked"]),
        ] as [(String, Double?, Set<String>)])
    func `a lifetime may be missing, a text or beyond all measure; a scope may be missing`(
        fields: String, lifetime: Double?, scopes: Set<String>
    ) async throws {
        let token = try await token(.json("{\"access_token\": \"at\", \"token_type\": \"BEARER\", \(fields)}"))
        #expect(token.expiryDate == lifetime.map { OAuth2Fixture.begin.addingTimeInterval($0) })
        #expect(token.scopes == scopes)
        #expect(token.refreshToken == nil)
    }

    @Test(arguments: ["0", "-1", "-1e300", "\"0\"", "\"-3600\""])
    func `a token that has ended when it comes is an error`(lifetime: String) async {
        let error = await error(.json("{\"access_token\": \"at\", \"token_type\": \"Bearer\", \"expires_in\": \(lifetime)}"))
        #expect(error?.kind == .expiredOnArrival)
        #expect(error?.status == 200)
    }

    @Test(
        arguments: [
            ("", "empty"), ("<!doctype html><p>Log in", "HTML"), (" \r\n\t<html>", "HTML"), ("ok", "no JSON"), ("[]", "not an object"),
            ("null", "not an object"), ("{}", "no access_token"), (#"{"access_token": "at"}"#, "no token_type"),
            (#"{"access_token": 1, "token_type": "Bearer"}"#, "access_token"),
            (#"{"access_token": null, "token_type": "Bearer"}"#, "access_token"),
            (#"{"access_token": "at", "token_type": "Bearer", "expires_in": true}"#, "expires_in"),
            (#"{"access_token": "at", "token_type": "Bearer", "expires_in": "soon"}"#, "expires_in"),
            (#"{"access_token": "at", "token_type": "Bearer", "expires_in": "nan"}"#, "expires_in"),
            (#"{"access_token": "at", "token_type": "Bearer", "expires_in": 1e400}"#, "expires_in"),
            (#"{"access_token": "at", "token_type": "Bearer", "expires_in": "-inf"}"#, "expires_in"),
            (#"{"access_token": "at", "token_type": "Bearer", "scope": ["a"]}"#, "scope"),
            (#"{"access_token": "", "token_type": "Bearer"}"#, "cannot be sent"),
            (#"{"access_token": "a\r\nX: y", "token_type": "Bearer"}"#, "cannot be sent"),
            (#"{"access_token": "a b", "token_type": "Bearer"}"#, "cannot be sent"),
            (#"{"access_token": "ä", "token_type": "Bearer"}"#, "cannot be sent"), (#"{"access_token": "at", "token_t"#, "no JSON"),
        ])
    func `an answer that is no token is an error that says what it lacks`(text: String, says: String) async {
        let error = await error(.json(text))
        #expect(error?.kind == .malformedResponse)
        #expect(error?.description.contains(says) == true, "\(String(describing: error))")
        #expect(error?.description.hasPrefix("The request for a token of the client at https://login.example/token failed: ") == true)
    }

    @Test(arguments: ["mac", "DPoP", "", "Bearer "])
    func `a token of another type is not used`(type: String) async {
        let error = await error(.json("{\"access_token\": \"at\", \"token_type\": \"\(type)\"}"))
        #expect(error?.kind == .tokenTypeNotSupported)
    }

    @Test(
        arguments: [
            ("invalid_request", .invalidRequest), ("invalid_client", .invalidClient), ("invalid_grant", .invalidGrant),
            ("unauthorized_client", .unauthorizedClient), ("unsupported_grant_type", .unsupportedGrantType),
            ("invalid_scope", .invalidScope), ("access_denied", .accessDenied), ("unsupported_response_type", .unsupportedResponseType),
            ("server_error", .serverError), ("temporarily_unavailable", .temporarilyUnavailable),
            ("authorization_pending", .authorizationPending), ("slow_down", .slowDown), ("expired_token", .expiredToken),
            ("unsupported_token_type", .unsupportedTokenType), ("mfa_required", .refused),
        ] as [(String, OAuth2ClientError.Kind)], [200, 400, 401, 500])
    func `every refusal is typed, whatever its status`(refusal: (String, OAuth2ClientError.Kind), status: Int) async {
        let error = await error(
            .json("{\"error\": \"\(refusal.0)\", \"error_description\": \"No.\", \"error_uri\": \"https://e.example/?q\"}", status: status))
        #expect(error?.kind == refusal.1)
        #expect(error?.isRefusal == true)
        #expect(error?.serverCode == refusal.0)
        #expect(error?.serverDescription == "No.")
        #expect(error?.serverURI == "https://e.example/?…")
        #expect(error?.status == status)
        #expect(error?.description.contains(refusal.0) == true)
        #expect(error?.description.hasSuffix("The server says: “No.”.") == true)
    }

    @Test func `a refusal's words are shown harmless, and without what the client sent`() async {
        let code = String(repeating: "x", count: 100)
        let error = await error(
            .json(
                #"{"error": "\#(code)\u001b\"\\", "error_description": "\u001b[31mthe secret is secret\u202e\r\n", "error_uri": "javascript:x"}"#,
                status: 400))
        #expect(error?.serverCode == String(repeating: "x", count: 64))
        #expect(error?.serverDescription == "[31mthe <redacted> is <redacted>")
        #expect(error?.serverURI == nil)
    }

    @Test(arguments: [(500, "try later"), (503, "try later"), (404, "URL"), (429, "too often"), (401, "authenticates"), (418, "check")])
    func `a status without a reason says what to do`(status: Int, says: String) async {
        let error = await error(.status(status, fields: ["Content-Type": "text/html"], "<html>secret at</html>"))
        #expect(error?.kind == .unexpectedStatus)
        #expect(error?.status == status)
        #expect(error?.description.contains("\(status)") == true)
        #expect(error?.description.contains(says) == true)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is not followed`(status: Int) async {
        let error = await error(.status(status, fields: ["Location": "https://elsewhere.example/token"]))
        #expect(error?.kind == .redirected)
        #expect(fixture.transport.messages.count == 1)
    }

    @Test func `no more is read than the limit allows`() async {
        let error = await error(.json(String(repeating: " ", count: 262_145) + "{}"))
        #expect(error?.kind == .responseTooLarge)
        #expect(error?.description.contains("262144 bytes") == true)
    }

    @Test func `a transport's failure is typed and kept`() async {
        let error = await error(.failure(.hostNotFound))
        #expect(error?.kind == .unreachable)
        #expect((error?.underlyingError as? HTTPError)?.kind == .hostNotFound)
    }

    @Test(arguments: [false, true])
    func `a server that never ends its answer is not waited for longer than allowed`(sendsHead: Bool) async throws {
        let gate = TestGate()
        let answer = ScriptedAnswer.json("{}")
        fixture.transport.enqueue(sendsHead ? answer.trickled(by: gate) : answer.held(by: gate))
        async let error = failure { [fixture] () throws(OAuth2ClientError) in try await fixture.client().clientCredentials() }
        try await gate.waitForWaiters()
        try await fixture.clock.waitForSleepers(remaining: [.seconds(30)])
        fixture.clock.advance(by: .seconds(30))
        let kind = await error?.kind
        #expect(kind == .timedOut)
        #expect(fixture.transport.liveTransferCount == 0)
        gate.open()
    }

    @Test func `cancelling ends the request`() async throws {
        let gate = TestGate()
        fixture.transport.enqueue(.json("{}").held(by: gate))
        let task = Task { [fixture] in
            await failure { () throws(OAuth2ClientError) in try await fixture.client().clientCredentials() }
        }
        try await gate.waitForWaiters()
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        #expect(fixture.transport.liveTransferCount == 0)
        gate.open()
    }

    /// Valid answers with bytes changed, cut and doubled.
    @Test(arguments: Seeds.kept + Seeds.fresh(count: 200))
    func `any answer brings a token or a typed error, and never traps`(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(
            [
                #"{"access_token": "at", "token_type": "Bearer", "expires_in": 3600, "scope": "a b", "refresh_token": "rt"}"#,
                #"{"error": "invalid_grant", "error_description": "no", "error_uri": "https://e.example/"}"#,
            ][Int.random(in: 0..<2, using: &random)].utf8)
        for _ in 0..<Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(contentsOf: Array("\"{}[],:9e-\\u0000\0".utf8).shuffled(using: &random).prefix(3), at: index)
            default: bytes.append(contentsOf: bytes[index...].prefix(40))
            }
        }
        let head = HTTPResponseHead(status: [200, 400, 500].randomElement(using: &random) ?? 200)
        do {
            let token = try await token(ScriptedAnswer(head: head, pieces: [Data(bytes)]))
            #expect(!token.accessToken.isEmpty)
            #expect(HTTPFields.isSafeValue(token.accessToken))
        } catch {
            #expect(!error.description.isEmpty)
            #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
        }
    }
}
