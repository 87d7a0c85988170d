// SPDX-License-Identifier: MIT

import Foundation

/// An access token with what came along with it (RFC 6749, 5.1). It does not print its secrets.
public struct OAuth2Token: Codable, Equatable, Sendable {
    /// What is sent; a secret.
    public let accessToken: String
    /// How it is sent, such as `Bearer`.
    public let tokenType: String
    /// What it is good for.
    public let scopes: Set<String>
    /// When it ends; `nil` if the server did not say.
    public let expiryDate: Date?
    /// With what another token is got; a secret.
    public let refreshToken: String?

    /// A token.
    public init(accessToken: String, tokenType: String, expiryDate: Date? = nil, scopes: Set<String> = [], refreshToken: String? = nil) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.scopes = scopes
        self.expiryDate = expiryDate
        self.refreshToken = refreshToken
    }
}

extension OAuth2Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Type, scopes and expiry.
    public var description: String {
        "OAuth2Token(\(tokenType), scopes: \(scopes.sorted()), expires: \(expiryDate.map { "\($0)" } ?? "unknown"), <redacted>)"
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["token": description], displayStyle: .struct) }
}
