// SPDX-License-Identifier: MIT

import Foundation

/// What a token endpoint has given (RFC 6749, 5.1): an access token and what came along with it. It does not print its secrets.
///
/// It can be encoded, for a store that keeps secrets; the encoded form holds them.
public struct OAuth2TokenResponse: Codable, Hashable, Sendable {
    /// What is sent with requests; a secret.
    public var accessToken: String
    /// How it is sent, as the server spelled it: `Bearer` in some mixture of cases (RFC 6750).
    public var tokenType: String
    /// When it ends, counted from the moment at which it was asked for; `nil` if the server did not say.
    public var expiryDate: Date?
    /// What it is good for: what the server says or, if it says nothing, what was asked for (RFC 6749, 5.1).
    public var scopes: Set<String>
    /// With what another token is had; a secret. `nil` if there is none.
    public var refreshToken: String?
    /// When it was asked for, by this machine's clock, if its ``expiryDate`` is counted from then.
    public var issueDate: Date?

    /// A token, for example one that was kept elsewhere.
    public init(
        accessToken: String, tokenType: String = "Bearer", expiryDate: Date? = nil, scopes: Set<String> = [], refreshToken: String? = nil,
        issueDate: Date? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiryDate = expiryDate
        self.scopes = scopes
        self.refreshToken = refreshToken
        self.issueDate = issueDate
    }

    /// Whether it has ended at `date`, or will within `leeway`. A token whose end is not known has not: a server that refuses it says so.
    /// - Parameter leeway: for the request's way to the server, and for clocks that differ. Default: 30 s. It takes no more than half of the
    ///   lifetime, if ``issueDate`` is known: a token that lasts 20 s would need to be refreshed before each request.
    public func hasExpired(at date: Date = Date(), leeway: Duration = .seconds(30)) -> Bool {
        guard let expiryDate else { return false }
        var leeway = leeway / .seconds(1)
        if let issueDate { leeway = min(leeway, max(0, expiryDate.timeIntervalSince(issueDate) / 2)) }
        return expiryDate.timeIntervalSince(date) <= leeway
    }

    /// With the refresh token of `old` where the server gave none: it goes on being good (RFC 6749, 6).
    package func keepingRefreshToken(of old: OAuth2TokenResponse) -> OAuth2TokenResponse {
        var token = self
        if token.refreshToken == nil { token.refreshToken = old.refreshToken }
        return token
    }
}

extension OAuth2TokenResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Type, scopes and end.
    public var description: String {
        "OAuth2TokenResponse(\(tokenType), scopes: \(scopes.sorted()), expires: \(expiryDate.map { "\($0)" } ?? "unknown"), <redacted>)"
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["token": description], displayStyle: .struct) }
}
