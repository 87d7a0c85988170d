// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting

/// A server or a proxy that NTLM logs connections in to: whatever comes over one afterwards is the same user's.
package final class ConnectionLogIns: Sendable {
    package enum Answer: Sendable, Equatable {
        case letIn(String)
        /// With a challenge in the field.
        case ask(String)
    }

    private let users = Locked<[Int: String]>([:])

    package init() {}

    /// - Parameter connection: the number of the connection.
    /// - Parameter field: the request's credentials.
    package func answer(to field: String?, on connection: Int) -> Answer {
        users.withLock { users in
            switch NTLMMessage.number(in: field) {
            case 1:
                users[connection] = nil
                return .ask(NTLMMessage.challenge)
            case 3: users[connection] = NTLMMessage.user(in: field)
            default: break
            }
            return users[connection].map { .letIn($0) } ?? .ask("NTLM")
        }
    }

    /// An origin server's answer: whoever is logged in is welcomed by name.
    package func serve(_ request: RecordedRequest) -> ScriptedResponse {
        switch answer(to: request.fields["Authorization"], on: request.connection) {
        case .letIn(let user): .ok("welcome \(user) \(request.bodyByteCount)")
        case .ask(let challenge): .status(401, fields: ["WWW-Authenticate": challenge], "who are you?")
        }
    }

    /// A forward proxy's, which answers in place of the server.
    package func forward(_ request: RecordedRequest) -> ScriptedResponse {
        switch answer(to: request.fields["Proxy-Authorization"], on: request.connection) {
        case .letIn(let user): .ok("\(request.method) \(request.target) for \(user) \(request.bodyByteCount)")
        case .ask(let challenge): .status(407, fields: ["Proxy-Authenticate": challenge], "who are you?")
        }
    }
}
