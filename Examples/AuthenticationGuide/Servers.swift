// SPDX-License-Identifier: MIT

import HTTPTesting
import Moya

/// The real servers that the samples talk to, as `Scripts/test-servers` has started them.
enum Servers {
    /// Apache httpd: Basic at `/basic/`, Digest at `/digest/`.
    static let apache = address(of: .apache)
    /// nginx, which says at `/echo` what it was sent.
    static let nginx = address(of: .http)
    /// An authorization server made with Authlib, and at `/resource` an API that takes its tokens.
    static let authorization = address(of: .oauth)

    /// The account at all of them.
    static let account = (name: "user", password: "passwd")
    /// The secret of those of the authorization server's clients that have one.
    static let clientSecret = "secret"

    /// Says what to do if they are not there.
    static func areStarted() throws {
        for server in [StartedServer.apache, .http, .oauth] { _ = try server.url }
    }

    // A target cannot throw. Where the server is missing the program has ended before this is asked.
    private static func address(of server: StartedServer) -> URL { (try? server.url) ?? URL(fileURLWithPath: "/") }
}
