// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OAuth2DeviceTests {
    private let fixture = OAuth2Fixture()

    private static let pending = ScriptedAnswer.json(#"{"error": "authorization_pending"}"#, status: 400)
    private static let slowDown = ScriptedAnswer.json(#"{"error": "slow_down"}"#, status: 400)
    private static let token = ScriptedAnswer.json(#"{"access_token": "at", "token_type": "Bearer", "refresh_token": "rt"}"#)

    private static func codes(_ fields: String = #""interval": 3"#) -> ScriptedAnswer {
        .json(
            #"{"device_code": "dc", "user_code": "WDJB-MJHT", "verification_uri": "https://login.example/go", "expires_in": 600, "#
                + #""verification_uri_complete": "https://login.example/go?user_code=WDJB-MJHT", \#(fields)}"#)
    }

    private func device(_ answer: ScriptedAnswer = Self.codes()) async throws -> OAuth2DeviceAuthorization {
        fixture.transport.enqueue(answer)
        return try await fixture.client().deviceAuthorization(scopes: ["read"])
    }

    /// Lets time pass by what the client waits for, each time that it waits for exactly what is expected.
    private func wait(_ durations: Duration...) async throws {
        for duration in durations {
            try await fixture.clock.waitForSleepers(remaining: [duration])
            fixture.clock.advance(by: duration)
        }
    }

    private func waiting(for device: OAuth2DeviceAuthorization) -> Task<Result<OAuth2TokenResponse, OAuth2ClientError>, Never> {
        Task { [fixture] in
            do throws(OAuth2ClientError) {
                return .success(try await fixture.client().token(for: device))
            } catch {
                return .failure(error)
            }
        }
    }

    @Test func `a device gets the code to show`() async throws {
        let device = try await device()
        #expect(device.userCode == "WDJB-MJHT")
        #expect(device.verificationURL.absoluteString == "https://login.example/go")
        #expect(device.completeVerificationURL?.absoluteString == "https://login.example/go?user_code=WDJB-MJHT")
        #expect(device.expiryDate == OAuth2Fixture.begin.addingTimeInterval(600))
        #expect(device.interval == .seconds(3))
        #expect(fixture.forms == ["scope=read&client_id=my%20client"])
        #expect(!"\(device)".contains("WDJB"))
    }

    @Test(
        arguments: [
            (#""x": 1"#, 5), (#""interval": 0"#, 5), (#""interval": -1"#, 5), (#""interval": 0.1"#, 1), (#""interval": "7""#, 7),
            (#""interval": 1e9"#, 300),
        ] as [(String, Int)])
    func `the interval is the server's, within reason`(fields: String, seconds: Int) async throws {
        #expect(try await device(Self.codes(fields)).interval == .seconds(seconds))
    }

    @Test func `it is asked again after the interval, more slowly when told so, until the person has decided`() async throws {
        let device = try await device()
        fixture.transport.enqueue(Self.pending, Self.slowDown, Self.pending, Self.slowDown, Self.token)
        let token = waiting(for: device)
        try await wait(.seconds(3), .seconds(3), .seconds(8), .seconds(8), .seconds(13))
        #expect(try await token.value.get() == OAuth2TokenResponse(accessToken: "at", scopes: ["read"], refreshToken: "rt"))
        #expect(
            Set(fixture.forms.dropFirst()) == [
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=dc&client_id=my%20client"
            ])
    }

    @Test func `where the network fails, it is asked half as often each time`() async throws {
        let device = try await device()
        fixture.transport.enqueue(.failure(.connectFailed), .failure(.connectTimedOut), Self.pending, Self.token)
        let token = waiting(for: device)
        try await wait(.seconds(3), .seconds(6), .seconds(12), .seconds(12))
        #expect(try await token.value.get().accessToken == "at")
    }

    @Test(
        arguments: [("access_denied", .accessDenied), ("expired_token", .expiredToken), ("invalid_client", .invalidClient)]
            as [(String, OAuth2ClientError.Kind)])
    func `a refusal ends the wait`(code: String, kind: OAuth2ClientError.Kind) async throws {
        let device = try await device()
        fixture.transport.enqueue(Self.pending, .json("{\"error\": \"\(code)\"}", status: 400))
        let token = waiting(for: device)
        try await wait(.seconds(3), .seconds(3))
        let error = await #expect(throws: OAuth2ClientError.self) { try await token.value.get() }
        #expect(error?.kind == kind)
    }

    @Test func `nobody is asked after the code's end`() async throws {
        let device = try await device(Self.codes(#""interval": 299"#))
        fixture.transport.enqueue(Self.pending, Self.pending)
        let token = waiting(for: device)
        try await wait(.seconds(299), .seconds(299), .seconds(299))
        let error = await #expect(throws: OAuth2ClientError.self) { try await token.value.get() }
        #expect(error?.kind == .expiredToken)
        #expect(error?.isRefusal == false)
        #expect(fixture.transport.messages.count == 3)
    }

    @Test func `cancelling ends the wait`() async throws {
        let device = try await device()
        let token = waiting(for: device)
        try await fixture.clock.waitForSleepers(remaining: [.seconds(3)])
        token.cancel()
        let error = await #expect(throws: OAuth2ClientError.self) { try await token.value.get() }
        #expect(error?.kind == .cancelled)
        #expect(fixture.transport.messages.count == 1)
    }

    @Test(
        arguments: [
            (#"{"device_code": "dc", "user_code": "u", "verification_uri": "https://l.example/"}"#, .malformedResponse),
            (#"{"device_code": "dc", "user_code": "u", "verification_uri": "https://l.example/", "expires_in": 0}"#, .expiredOnArrival),
            (
                #"{"device_code": "dc", "user_code": "\u001b[2J", "verification_uri": "https://l.example/", "expires_in": 9}"#,
                .malformedResponse
            ),
            (#"{"device_code": "", "user_code": "u", "verification_uri": "https://l.example/", "expires_in": 9}"#, .malformedResponse),
            (#"{"device_code": "dc", "user_code": "u", "verification_uri": "javascript:alert(1)", "expires_in": 9}"#, .malformedResponse),
            (#"{"device_code": "dc", "user_code": "u", "verification_uri": "/go", "expires_in": 9}"#, .malformedResponse),
            (#"{"error": "unauthorized_client"}"#, .unauthorizedClient), ("<html>", .malformedResponse),
        ] as [(String, OAuth2ClientError.Kind)])
    func `an answer without codes that can be shown is an error`(text: String, kind: OAuth2ClientError.Kind) async throws {
        fixture.transport.enqueue(.json(text))
        #expect(await failure { () throws(OAuth2ClientError) in try await fixture.client().deviceAuthorization() }?.kind == kind)
    }
}
