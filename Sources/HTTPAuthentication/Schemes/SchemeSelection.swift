// SPDX-License-Identifier: MIT

/// Orders what a server offers by strength (RFC 9110, 11.6.1: a client picks the most secure scheme that it knows).
///
/// Negotiate, then Digest with SHA-512-256, SHA-256 and MD5, then NTLM, then Basic. Kerberos shows the server nothing that it could use
/// elsewhere. Digest hides the password, and binds each answer to one request. NTLM hides it behind MD4 and authenticates a connection,
/// for which reason it ranks below even Digest with MD5. Basic sends the password itself. Equal challenges keep the server's order.
package enum SchemeSelection {
    /// The challenges that can be answered, the strongest first.
    ///
    /// - Parameter transportSchemes: what the transport answers by itself, of Negotiate and NTLM.
    /// - Parameter canHashContent: whether Digest's `auth-int` can be satisfied.
    package static func offers(
        in challenges: [Challenge], by challenger: Challenger, transportSchemes: Set<AuthenticationScheme>, canHashContent: Bool
    ) -> [ChallengeOffer] {
        let ranked = challenges.enumerated().compactMap { index, challenge -> (rank: Int, index: Int, offer: ChallengeOffer)? in
            guard let means = means(for: challenge, transportSchemes, canHashContent) else { return nil }
            return (rank(of: means), index, ChallengeOffer(challenge: challenge, challenger: challenger, means: means))
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.offer)
    }

    /// Nil for an unknown scheme, and for a challenge that asks for what cannot be done.
    private static func means(
        for challenge: Challenge, _ transportSchemes: Set<AuthenticationScheme>, _ canHashContent: Bool
    ) -> ChallengeOffer.Means? {
        switch challenge.scheme {
        case .negotiate, .ntlm:
            return transportSchemes.contains(challenge.scheme) ? .transport(challenge.scheme) : nil
        case .digest:
            guard let digest = try? DigestChallenge(challenge), digest.protection(canHashContent: canHashContent) != nil else { return nil }
            return .digest(digest)
        case .basic:
            return .basic(normalizes: BasicScheme.announcesUTF8(challenge))
        default:
            return nil
        }
    }

    private static func rank(of means: ChallengeOffer.Means) -> Int {
        switch means {
        case .transport(.negotiate): 0
        case .digest(let challenge):
            switch challenge.function {
            case .sha512_256: 1
            case .sha256: 2
            case .md5: 3
            }
        case .transport: 4
        case .basic: 5
        }
    }
}
