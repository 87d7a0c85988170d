// SPDX-License-Identifier: MIT

/// What is sent before anybody asks.
package enum AnswerAhead: Sendable {
    /// A field of the message.
    case field(IssuedCredentials)
    /// The transport logs in with this scheme; Negotiate may go without a credential.
    case transport(AuthenticationScheme, UserCredential?, ProtectionSpace)
}

/// What to do about a challenge.
package enum ChallengeAnswer: Sendable {
    /// Send the request again with this field.
    case field(IssuedCredentials)
    /// Send the request again and let the transport authenticate with this scheme; Negotiate may go without a credential.
    case transport(AuthenticationScheme, UserCredential?)
    /// Deliver the response: nothing that it offers is known.
    case noSupportedScheme
    /// Deliver the response: the credential was refused already, there is none, or the exchange has gone on for too long.
    case rejected
}
