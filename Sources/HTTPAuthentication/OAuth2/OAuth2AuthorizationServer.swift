// SPDX-License-Identifier: MIT

import Foundation

/// An authorization server: who it is and where it is asked for what. ``discover(issuer:by:through:options:)`` reads it from the server
/// itself.
public struct OAuth2AuthorizationServer: Sendable, Hashable {
    /// How the server calls itself (RFC 8414, 2); `nil` if that is not known, and then not checked.
    public var issuer: String?
    /// Where a person logs in (RFC 6749, 3.1).
    public var authorizationEndpoint: URL?
    /// Where tokens come from (RFC 6749, 3.2).
    public var tokenEndpoint: URL?
    /// Where devices get their codes (RFC 8628, 3.1).
    public var deviceAuthorizationEndpoint: URL?
    /// Where tokens are revoked (RFC 7009).
    public var revocationEndpoint: URL?
    /// Whether redirects of the browser always name the issuer (RFC 9207, 3). One without is refused then. Default: `false`.
    public var namesIssuerInRedirects: Bool
    /// How clients may authenticate, such as `client_secret_basic`; `nil` if the server does not say.
    public var clientAuthenticationMethods: Set<String>?
    /// The scopes that the server lists; `nil` if it does not say.
    public var scopes: Set<String>?

    /// A server whose endpoints are known.
    public init(
        issuer: String? = nil, authorizationEndpoint: URL? = nil, tokenEndpoint: URL? = nil, deviceAuthorizationEndpoint: URL? = nil,
        revocationEndpoint: URL? = nil, namesIssuerInRedirects: Bool = false, clientAuthenticationMethods: Set<String>? = nil,
        scopes: Set<String>? = nil
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
        self.revocationEndpoint = revocationEndpoint
        self.namesIssuerInRedirects = namesIssuerInRedirects
        self.clientAuthenticationMethods = clientAuthenticationMethods
        self.scopes = scopes
    }
}
