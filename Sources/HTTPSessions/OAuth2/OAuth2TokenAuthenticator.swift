// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Signs requests with an OAuth 2.0 access token (RFC 6750) and renews it through an `OAuth2Client`; an ``AuthenticationInterceptor`` has
/// it do so once for all requests that wait.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(
///     authenticator: OAuth2TokenAuthenticator(client: client), credential: OAuth2Credential(token))
/// ```
///
/// A request that is refused with 401 is sent again with a new token if the 401 is an error, by `validate()` or otherwise. A token is sent
/// only where it is allowed to go: never over plain http to another machine unless ``allowsPlaintextTransport``, and only to ``origins``
/// if they are given. Its own requests go over the client's transport, not over the session that it signs for.
public final class OAuth2TokenAuthenticator: AsyncAuthenticator {
    /// How another token is had.
    public enum Renewal: Sendable, Hashable {
        /// With the refresh token of the one at hand; without one, or when it is refused, requests fail, and the person has to log in
        /// again.
        case refreshToken
        /// With the client's own credentials, as the first one: nobody has to log in.
        case clientCredentials(scopes: Set<String> = [], additionalParameters: [String: String] = [:])
    }

    /// Where tokens come from.
    public let client: OAuth2Client
    /// How another one is had.
    public let renewal: Renewal
    /// The origins that tokens are for; requests to others are sent without. `nil`: all that the session is used for.
    public let origins: Set<Origin>?
    /// Whether tokens may go over an unencrypted connection to another machine.
    public let allowsPlaintextTransport: Bool

    /// An authenticator; nothing is sent before a request needs a token.
    ///
    /// Give `origins` where a session is used for several servers; by default tokens go to all of them. Without `allowsPlaintextTransport`
    /// requests over plain http to another machine are sent without a token.
    public init(
        client: OAuth2Client, renewal: Renewal = .refreshToken, origins: Set<Origin>? = nil, allowsPlaintextTransport: Bool = false
    ) {
        self.client = client
        self.renewal = renewal
        self.origins = origins
        self.allowsPlaintextTransport = allowsPlaintextTransport
    }

    /// Sets `Authorization: Bearer …`, in the place of what is there, if the token may go to the request's origin.
    public func apply(_ credential: OAuth2Credential, to urlRequest: inout URLRequest) {
        guard let value = fieldValue(credential), isForToken(urlRequest.url) else { return }
        urlRequest.setValue(value, forHTTPHeaderField: "Authorization")
    }

    /// Gets another token.
    /// - Throws: `OAuth2ClientError`; of kind `invalidGrant` or `missingRefreshToken` when the person has to log in again.
    public func refresh(_ credential: OAuth2Credential, for session: Session) async throws -> OAuth2Credential {
        var renewed = credential
        switch renewal {
        case .refreshToken:
            // A token without secrets has no refresh token either: the client says so.
            renewed.token = try await client.refresh(credential.token ?? OAuth2TokenResponse(accessToken: ""))
        case .clientCredentials(let scopes, let additionalParameters):
            renewed.token = try await client.clientCredentials(scopes: scopes, additionalParameters: additionalParameters)
        }
        return renewed
    }

    /// Whether the token was refused: 401 from where it may go (RFC 6750, 3.1). A 403 says that it is not good for this, which another one
    /// would not be, either.
    public func didRequest(
        _ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error
    ) -> Bool {
        // A redirect may have led to somebody else.
        response.statusCode == 401 && isForToken(urlRequest.url) && isForToken(response.url)
            && urlRequest.value(forHTTPHeaderField: "Authorization") != nil
    }

    /// Whether the request carries this token.
    public func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: OAuth2Credential) -> Bool {
        urlRequest.value(forHTTPHeaderField: "Authorization") == fieldValue(credential)
    }

    private func fieldValue(_ credential: OAuth2Credential) -> String? { credential.token.map { "Bearer \($0.accessToken)" } }

    private func isForToken(_ url: URL?) -> Bool {
        guard let origin = url.flatMap({ Origin(url: $0) }) else { return false }
        return (origins?.contains(origin) ?? true) && (origin.scheme == "https" || origin.isLoopback || allowsPlaintextTransport)
    }
}

extension OAuth2TokenAuthenticator: CustomStringConvertible, CustomReflectable {
    /// What the client says of itself.
    public var description: String { "OAuth2TokenAuthenticator(\(client))" }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["authenticator": description]) }
}
