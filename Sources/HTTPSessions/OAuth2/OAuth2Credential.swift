// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication

/// An access token as an ``AuthenticationInterceptor`` signs with, or the place of one that is yet to be had. It does not print the token.
///
/// It can be encoded, for a store that keeps secrets.
public struct OAuth2Credential: AuthenticationCredential, Codable, Hashable, Sendable {
    /// The token; `nil`: the first request gets one.
    public var token: OAuth2TokenResponse?
    /// How long before its end a token is refreshed. Default: 30 s. At most half of a token's lifetime, if that is known.
    public var leeway: Duration

    /// A credential; without a token it asks for a refresh at once.
    public init(_ token: OAuth2TokenResponse? = nil, leeway: Duration = .seconds(30)) {
        self.token = token
        self.leeway = leeway
    }

    /// Whether there is no token, or it ends within ``leeway`` by the system's clock. One whose end is not known is used until a server
    /// refuses it.
    public var requiresRefresh: Bool { token?.hasExpired(leeway: leeway) ?? true }
}

extension OAuth2Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What the token says of itself.
    public var description: String { "OAuth2Credential(\(token.map { $0.description } ?? "none"))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["credential": description], displayStyle: .struct) }
}
