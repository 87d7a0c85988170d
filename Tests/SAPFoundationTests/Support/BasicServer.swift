// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting

extension ScriptedResponse {
    /// 401 with a Basic challenge.
    static func challenge(realm: String = "Orders") -> ScriptedResponse {
        .status(401, fields: ["WWW-Authenticate": "Basic realm=\"\(realm)\""], "who are you?")
    }
}

extension RecordedRequest {
    /// The values of `Authorization`.
    var authorization: [String] { fields.values("Authorization") }

    static func basic(_ user: String, _ password: String) -> String {
        "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }
}

extension TestServer {
    /// A server that lets `user` in with `password` and challenges everybody else.
    static func guarded(
        user: String = "alice", password: String = "correct-horse", status: Int = 200, content: String = "the orders"
    ) throws -> TestServer {
        try TestServer { request in
            request.authorization == [RecordedRequest.basic(user, password)] ? .status(status, content) : .challenge()
        }
    }
}
