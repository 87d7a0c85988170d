// SPDX-License-Identifier: MIT

import HTTPAuthentication
import HTTPMessages

/// What the next message of an exchange carries to answer challenges: one answer for the server, one for the proxy.
struct ChallengeAnswers: Sendable {
    enum Answer: Sendable {
        case field(IssuedCredentials)
        /// The transport answers by itself, on every message to come.
        case transport(TransportAuthentication)
    }

    var server: Answer?
    var proxy: Answer?

    subscript(challenger: Challenger) -> Answer? {
        get { challenger.isProxy ? proxy : server }
        set {
            if challenger.isProxy { proxy = newValue } else { server = newValue }
        }
    }
}
