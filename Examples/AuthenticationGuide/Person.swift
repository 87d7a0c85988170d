// SPDX-License-Identifier: MIT

import ExampleTerminal
import HTTPSessions
import Moya

/// In the place of a person with a browser: fills in the log-in page and goes where it leads, back to this program.
enum Person {
    @Sendable static func logIn(at page: URL) async throws {
        let answers = ["user": Servers.account.name, "password": Servers.account.password, "decision": "allow"]
        let closing = await Session.default.request(page, method: .post, parameters: answers).validate().serializingString().response
        if let error = closing.error { throw error }
        try check(closing.response?.url?.path == "/callback", "the log-in page to lead back to this program")
    }
}
