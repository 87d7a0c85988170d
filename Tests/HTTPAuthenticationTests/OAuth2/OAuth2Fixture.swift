// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import HTTPTesting
import Testing

/// A client over a scripted transport, with a clock and a date that stand still until the test moves them.
struct OAuth2Fixture {
    let transport = ScriptedTransport()
    let clock = TestClock()
    static let begin = Date(timeIntervalSince1970: 1_800_000_000)

    static let server = OAuth2AuthorizationServer(
        issuer: "https://login.example", authorizationEndpoint: URL(string: "https://login.example/authorize?tenant=1"),
        tokenEndpoint: URL(string: "https://login.example/token"), deviceAuthorizationEndpoint: URL(string: "https://login.example/device"),
        revocationEndpoint: URL(string: "https://login.example/revoke"))

    var options: OAuth2Client.Options {
        OAuth2Client.Options { [clock] options in
            options.clock = clock
            options.now = { Self.begin.addingTimeInterval(clock.now.offset / .seconds(1)) }
        }
    }

    func client(
        _ authentication: OAuth2ClientAuthentication = .none, server: OAuth2AuthorizationServer = Self.server
    ) -> OAuth2Client {
        OAuth2Client(clientID: "my client", authentication: authentication, server: server, transport: transport, options: options)
    }

    /// The forms that were sent.
    var forms: [String] { transport.messages.map { String(decoding: $0.body, as: UTF8.self) } }
}

/// What an operation of a client threw.
func failure<Value: Sendable>(
    of operation: () async throws(OAuth2ClientError) -> Value, sourceLocation: SourceLocation = #_sourceLocation
) async -> OAuth2ClientError? {
    do {
        let value = try await operation()
        Issue.record("no error, but \(value)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}
