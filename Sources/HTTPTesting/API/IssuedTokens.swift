// SPDX-License-Identifier: MIT

/// The tokens that the API has issued (RFC 6749): which are good, which have expired. Plain numbers: these tokens guard nothing.
struct IssuedTokens: Sendable {
    enum Verdict { case good, expired, foreign }

    private var count = 0
    private var deadlines: [String: Duration] = [:]
    private var refreshTokens: Set<String> = []

    mutating func issue(now: Duration, lifetime: Duration) -> (access: String, refresh: String) {
        count += 1
        let (access, refresh) = ("access-\(count)", "refresh-\(count)")
        deadlines[access] = now + lifetime
        refreshTokens.insert(refresh)
        return (access, refresh)
    }

    /// Uses up a refresh token; false if it is not one or was used before.
    mutating func redeem(refresh token: String) -> Bool { refreshTokens.remove(token) != nil }

    mutating func expireAll() {
        for token in deadlines.keys { deadlines[token] = .zero }
    }

    func verdict(on token: String, now: Duration) -> Verdict {
        guard let deadline = deadlines[token] else { return .foreign }
        return now < deadline ? .good : .expired
    }
}
