// SPDX-License-Identifier: MIT

import ExampleTerminal
import Moya

/// The guide's section on Basic HTTP auth.
enum BasicHTTPAuth {
    static func run() async throws {
        Terminal.title("Basic HTTP auth, with Apache at \(Servers.apache.absoluteString)")

        let stranger = try await MoyaProvider<YourAPI>().request(.targetThatNeedsAuthentication)
        try check(stranger.statusCode == 401, "401 for a request without a credential, not \(stranger.statusCode)")
        Terminal.done("without a credential", "401")

        try await everyRequest()
        try await thoseThatNeedIt()
    }

    private static func everyRequest() async throws {
        let provider = MoyaProvider<YourAPI>(plugins: [
            CredentialsPlugin { _ -> URLCredential? in
                return URLCredential(user: "user", password: "passwd", persistence: .none)
            }
        ])

        let basic = try await provider.request(.targetThatNeedsAuthentication)
        try check(basic.statusCode == 200, "200 for a Basic challenge that is answered, not \(basic.statusCode)")
        Terminal.done("a credential for every request, asked for by Basic", "200")
        let digest = try await provider.request(.targetThatNeedsDigestAuth)
        try check(digest.statusCode == 200, "200 for a Digest challenge that is answered, not \(digest.statusCode)")
        Terminal.done("the same, asked for by Digest", "200")
    }

    private static func thoseThatNeedIt() async throws {
        // The guide's closure takes any target; with `for:` it takes one of the API's own, which `switch` needs.
        let provider = MoyaProvider<YourAPI>(plugins: [
            CredentialsPlugin(for: YourAPI.self) { target -> URLCredential? in
                switch target {
                case .targetThatNeedsAuthentication:
                    return URLCredential(user: "user", password: "passwd", persistence: .none)
                default:
                    return nil
                }
            }
        ])

        let needing = try await provider.request(.targetThatNeedsAuthentication)
        try check(needing.statusCode == 200, "200 for the target that gets a credential, not \(needing.statusCode)")
        let other = try await provider.request(.targetThatNeedsDigestAuth)
        try check(other.statusCode == 401, "401 for the target that gets none, not \(other.statusCode)")
        Terminal.done("a credential for the target that needs it", "200, and 401 for another")
    }
}
