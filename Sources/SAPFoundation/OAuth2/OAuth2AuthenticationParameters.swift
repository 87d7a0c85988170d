// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an authorization code grant needs to know (RFC 6749, 4.1). The client secret is not printed.
public struct OAuth2AuthenticationParameters: Sendable, CustomStringConvertible, CustomReflectable {
    /// Where the person logs in.
    public let authorizationEndpointURL: URL
    /// The client.
    public let clientID: String
    /// Where the log-in page leads to at its end, such as `http://127.0.0.1:49152/` for a native app (RFC 8252, 7.3).
    public let redirectURL: URL
    /// Where tokens come from.
    public let tokenEndpointURL: URL
    /// What the token is to be good for. Default: what the server thinks fit.
    public let requestingScopes: Set<String>
    /// Goes to the token endpoint with Basic, if there is one; native apps have none.
    public let clientSecret: String?

    /// Parameters of one client at one server.
    public init(
        authorizationEndpointURL: URL, clientID: String, redirectURL: URL, tokenEndpointURL: URL, requestingScopes: Set<String> = [],
        clientSecret: String? = nil
    ) {
        self.authorizationEndpointURL = authorizationEndpointURL
        self.clientID = clientID
        self.redirectURL = redirectURL
        self.tokenEndpointURL = tokenEndpointURL
        self.requestingScopes = requestingScopes
        self.clientSecret = clientSecret
    }

    /// The endpoints.
    public var description: String {
        "OAuth2AuthenticationParameters(\(authorizationEndpointURL.redactedDescription), \(tokenEndpointURL.redactedDescription))"
    }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["parameters": description]) }
}

/// What a client credentials grant needs to know (RFC 6749, 4.4). The credentials are not printed.
public struct OAuth2ClientCredentialsAuthenticationParameters: CustomStringConvertible, CustomReflectable {
    /// Where tokens come from.
    public let tokenEndpointURL: URL
    /// What the token is to be good for. Default: what the server thinks fit.
    public let requestingScopes: Set<String>
    let clientCredentialsHandler: (URLRequest) throws -> URLRequest

    /// `clientCredentialsHandler`: adds the client's credentials to the token request.
    public init(
        tokenEndpointURL: URL, requestingScopes: Set<String> = [], clientCredentialsHandler: @escaping (URLRequest) throws -> URLRequest
    ) {
        self.tokenEndpointURL = tokenEndpointURL
        self.requestingScopes = requestingScopes
        self.clientCredentialsHandler = clientCredentialsHandler
    }

    /// Identifier and secret go with Basic (RFC 6749, 2.3.1).
    /// - Throws: ``OAuth2Error/invalidArgument(detail:)`` if either is empty.
    public init(tokenEndpointURL: URL, clientID: String, clientSecret: String, requestingScopes: Set<String> = []) throws {
        guard !clientID.isEmpty, !clientSecret.isEmpty else {
            throw OAuth2Error.invalidArgument(detail: "the client's identifier and its secret must not be empty")
        }
        self.init(tokenEndpointURL: tokenEndpointURL, requestingScopes: requestingScopes) { request in
            var request = request
            request.setValue(
                OAuth2ClientAuthentication.basicFieldValue(clientID: clientID, secret: clientSecret), forHTTPHeaderField: "Authorization")
            return request
        }
    }

    /// The endpoint.
    public var description: String { "OAuth2ClientCredentialsAuthenticationParameters(\(tokenEndpointURL.redactedDescription))" }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["parameters": description]) }
}

/// Shows the page on which a person logs in: a web view, the system's browser.
public protocol WebViewPresenting: AnyObject {
    /// Shows the page at `url` and calls `completionHandler` once, from any thread, with the URL, beginning with `redirectURL`, that it
    /// led to at its end.
    func present(_ url: URL, redirectURL: URL, completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void)
    /// Takes the page away.
    func dismiss()
}
