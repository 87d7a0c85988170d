// SPDX-License-Identifier: MIT

/// A challenge that can be answered, and what is known about the space it guards.
package struct ChallengeOffer: Sendable {
    enum Means: Sendable, Hashable {
        case transport(AuthenticationScheme)
        case digest(DigestChallenge)
        case basic(normalizes: Bool)
    }

    package let challenge: Challenge
    package let protectionSpace: ProtectionSpace
    let means: Means
    /// How often this space refused an answer to its challenge during this exchange; what was sent ahead in vain does not count.
    package internal(set) var previousFailureCount = 0
    /// Credentials that this space has accepted before and has not refused since: there is no need to ask for others.
    package internal(set) var knownCredential: UserCredential?

    init(challenge: Challenge, challenger: Challenger, means: Means) {
        self.challenge = challenge
        // NTLM and Negotiate know no realm, whatever parameters a server adds.
        if case .transport = means {
            protectionSpace = ProtectionSpace(challenger: challenger, realm: nil)
        } else {
            protectionSpace = ProtectionSpace(challenger: challenger, realm: challenge.realm)
        }
        self.means = means
    }

    package var scheme: AuthenticationScheme { challenge.scheme }

    /// Whether it can be answered without a user-id and a password: Negotiate has tickets.
    package var needsCredential: Bool { means != .transport(.negotiate) }

    var digest: DigestChallenge? {
        if case .digest(let challenge) = means { challenge } else { nil }
    }
}
