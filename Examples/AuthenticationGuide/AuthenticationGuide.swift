// SPDX-License-Identifier: MIT

import ExampleTerminal
import Foundation
import HTTPTesting

/// Moya's authentication guide from its first sample to its last, run against real servers:
///
///     Scripts/examples AuthenticationGuide
///
/// Each section of the guide is a file here, its samples as their readers type them in; what does not compile as it is printed there is
/// marked with a comment. Every step checks what it shows, and a step that does not get what it must ends the program with status 1.
@main
struct AuthenticationGuide {
    static func main() async {
        do {
            try Servers.areStarted()
        } catch {
            Terminal.fail("needs the test servers, which are not there; Scripts/examples starts them and runs this. (\(error))")
            exit(69)  // EX_UNAVAILABLE
        }
        do {
            try await BasicHTTPAuth.run()
            try await AccessTokenAuth.run()
            try await OAuth.run()
            try await SessionRefresh.run()
            Terminal.title("Every step got what it must. The code is in Examples/AuthenticationGuide.")
        } catch {
            Terminal.fail("\(error)")
            exit(1)
        }
    }
}
