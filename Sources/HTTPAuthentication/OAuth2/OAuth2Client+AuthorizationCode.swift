// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

extension OAuth2Client {
    /// Begins a log-in by authorization code, with a `state` and a PKCE verifier of its own. Nothing is sent.
    /// - Parameters:
    ///   - redirectURL: where the page leads to at its end, as it is registered at the server: `http://127.0.0.1:PORT/…` for a program on a
    ///     person's machine (RFC 8252, 7.3), or an app's own scheme or link.
    ///   - scopes: what the token is to be good for; empty leaves that to the server.
    ///   - additionalParameters: what the page wants besides, such as `login_hint`, `prompt` or `audience`.
    public func authorizationRequest(
        redirectURL: URL, scopes: Set<String> = [], additionalParameters: [String: String] = [:]
    ) throws(OAuth2ClientError) -> OAuth2AuthorizationRequest {
        let attempt = "The log-in by authorization code"
        guard let endpoint = server.authorizationEndpoint else {
            throw OAuth2ClientError(
                .missingEndpoint, attempting: attempt,
                "the authorization server's authorization endpoint is not known; give it, or discover the server")
        }
        try exchange.check(endpoint, "\(attempt) at \(endpoint.redactedDescription)")
        guard redirectURL.scheme != nil, redirectURL.fragment == nil else {
            throw OAuth2ClientError(.invalidArgument, attempting: attempt, "the redirect URL has no scheme, or has a fragment")
        }
        return try OAuth2AuthorizationRequest(
            clientID: clientID, server: server, endpoint: endpoint, redirectURL: redirectURL, scopes: scopes,
            additionalParameters: try checked(additionalParameters))
    }

    /// The token for the code in the URL that the log-in's page led to.
    ///
    /// `state`, the issuer and the redirect itself are checked before anything is sent. A request is good for one answer: the second fails
    /// with ``OAuth2ClientError/Kind/alreadyUsed``.
    public func token(
        for request: OAuth2AuthorizationRequest, redirectedTo url: URL
    ) async throws(OAuth2ClientError) -> OAuth2TokenResponse {
        try await token(for: request, code: try request.code(in: url))
    }

    /// The token for a code that was taken out of the redirect.
    package func token(
        for request: OAuth2AuthorizationRequest, code: String
    ) async throws(OAuth2ClientError) -> OAuth2TokenResponse {
        try await requestToken(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", request.redirectURL.absoluteString),
                ("code_verifier", request.verifier),
            ], scopes: request.scopes, "The exchange of the authorization code for a token", hiding: [code, request.verifier])
    }
}
