// SPDX-License-Identifier: MIT

import ExampleTerminal
import Moya

/// The guide's section on access tokens.
enum AccessTokenAuth {
    static func run() async throws {
        Terminal.title("Access token auth, with nginx at \(Servers.nginx.absoluteString), which says what it got")

        let token = "eyeAm.AJsoN.weBTOKen"
        let authPlugin = AccessTokenPlugin { _ in token }
        let provider = MoyaProvider<YourAPI>(plugins: [authPlugin])

        for (target, expected) in [
            (YourAPI.targetThatNeedsBearerAuth, "Bearer \(token)"), (.targetThatNeedsBasicAuth, "Basic \(token)"),
            (.targetThatNeedsCustomAuth, "CustomAuthorizationType \(token)"), (.targetDoesNotNeedAuth, ""),
        ] {
            let sent = try await provider.request(target).filterSuccessfulStatusCodes().map(String.self, atKeyPath: "authorization")
            try check(sent == expected, "the field Authorization to be \"\(expected)\" for \(target), not \"\(sent)\"")
            Terminal.done("\(target)", sent.isEmpty ? "no field Authorization" : "Authorization: \(sent)")
        }
    }
}
