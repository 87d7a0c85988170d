// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import HTTPTesting
import Testing

/// Lifetimes are counted by this machine's clock, whatever it shows; no token says when it was made by the server's.
@Suite(.timeLimit(.minutes(1)))
struct OAuth2ClockTests {
    private static let begin = OAuth2Fixture.begin

    @Test(
        arguments: [
            (-1e9, 0, true), (-0.001, 0, true), (0, 0, true), (0.001, 0, false), (29, 30, true), (30, 30, true), (31, 30, false),
            (1e9, 30, false),
            // A clock that is known to be ahead is made up for by a leeway below zero.
            (-60, -90, false), (-90, -90, true),
            // Beyond all measure, either way.
            (1e300, 30, false), (-1e300, 30, true), (.infinity, 30, false), (-.infinity, 30, true), (10, 1e12, true),
        ] as [(TimeInterval, Double, Bool)])
    func `a token has expired from its end less the leeway on`(seconds: TimeInterval, leeway: Double, hasExpired: Bool) {
        let token = OAuth2TokenResponse(accessToken: "at", expiryDate: Self.begin.addingTimeInterval(seconds))
        #expect(token.hasExpired(at: Self.begin, leeway: .seconds(leeway)) == hasExpired)
    }

    @Test(arguments: [Date.distantPast, Date(), Date.distantFuture])
    func `a token without a known end never expires by the clock`(now: Date) {
        #expect(!OAuth2TokenResponse(accessToken: "at").hasExpired(at: now, leeway: .seconds(1e12)))
    }

    @Test(arguments: [-1e9, -3600, 3600, 1e9] as [TimeInterval])
    func `a clock that differs from the server's changes no lifetime`(difference: TimeInterval) async throws {
        let fixture = OAuth2Fixture()
        var options = fixture.options
        let ours = Self.begin.addingTimeInterval(difference)
        options.now = { ours }
        let client = OAuth2Client(
            clientID: "app", authentication: .secretBasic("secret"), server: OAuth2Fixture.server, transport: fixture.transport,
            options: options)
        fixture.transport.enqueue(
            .status(
                200,
                fields: [
                    "Content-Type": "application/json", "Date": "Fri, 15 Jan 2027 08:00:00 GMT", "Expires": "Thu, 01 Jan 1970 00:00:00 GMT",
                ], #"{"access_token": "at", "token_type": "Bearer", "expires_in": 3600}"#))

        let token = try await client.clientCredentials()

        #expect(token.expiryDate == ours.addingTimeInterval(3600))
        #expect(!token.hasExpired(at: ours))
        #expect(token.hasExpired(at: ours.addingTimeInterval(3600), leeway: .zero))
    }

    @Test(arguments: [(1, 0.4, 0.6), (20, 9, 11), (60, 29, 31), (3600, 3569, 3571)] as [(Int, TimeInterval, TimeInterval)])
    func `the leeway takes no more than half of a token's lifetime`(lifetime: Int, good: TimeInterval, over: TimeInterval) async throws {
        let fixture = OAuth2Fixture()
        fixture.transport.enqueue(.json("{\"access_token\": \"at\", \"token_type\": \"Bearer\", \"expires_in\": \(lifetime)}"))

        let token = try await fixture.client(.secretBasic("secret")).clientCredentials()

        #expect(!token.hasExpired(at: Self.begin.addingTimeInterval(good)))
        #expect(token.hasExpired(at: Self.begin.addingTimeInterval(over)))
        // As it is after it was kept.
        let kept = try JSONDecoder().decode(OAuth2TokenResponse.self, from: JSONEncoder().encode(token))
        #expect(kept == token)
        #expect(!kept.hasExpired(at: Self.begin.addingTimeInterval(good)))
    }

    @Test func `a kept token without the date of its issue can be read, and is refreshed the whole leeway before its end`() throws {
        let text = #"{"accessToken": "at", "tokenType": "Bearer", "expiryDate": 20, "scopes": []}"#
        let token = try JSONDecoder().decode(OAuth2TokenResponse.self, from: Data(text.utf8))
        #expect(token.hasExpired(at: Date(timeIntervalSinceReferenceDate: 0)))
    }

    @Test(arguments: [-5, 0] as [TimeInterval])
    func `dates of issue that make no sense do not lengthen a token's life`(lifetime: TimeInterval) {
        let token = OAuth2TokenResponse(
            accessToken: "at", expiryDate: Self.begin.addingTimeInterval(10), issueDate: Self.begin.addingTimeInterval(10 - lifetime))
        #expect(!token.hasExpired(at: Self.begin.addingTimeInterval(9)))
        #expect(token.hasExpired(at: Self.begin.addingTimeInterval(10)))
    }
}
