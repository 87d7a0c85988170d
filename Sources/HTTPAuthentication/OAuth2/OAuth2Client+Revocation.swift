// SPDX-License-Identifier: MIT

import Foundation

extension OAuth2Client {
    /// Tells the server that `token` is wanted no more, as at a log-out (RFC 7009): its refresh token, if it has one, then its access
    /// token.
    ///
    /// A token that the server does not know is no error. Servers that revoke only refresh tokens are let be: the access token ends by
    /// itself. Drop the token from its store in any case, whether or not this throws.
    public func revoke(_ token: OAuth2TokenResponse) async throws(OAuth2ClientError) {
        let hasRefreshToken = token.refreshToken.map { !$0.isEmpty } ?? false
        if let refreshToken = token.refreshToken, hasRefreshToken { try await revoke(refreshToken, hint: "refresh_token", of: token) }
        do {
            try await revoke(token.accessToken, hint: "access_token", of: token)
        } catch  where error.kind == .unsupportedTokenType && hasRefreshToken {
            return
        }
    }

    private func revoke(_ secret: String, hint: String, of token: OAuth2TokenResponse) async throws(OAuth2ClientError) {
        let answer = try await post(
            [("token", secret), ("token_type_hint", hint)], to: server.revocationEndpoint, named: "revocation endpoint",
            "The revocation of the token", hiding: [token.accessToken, token.refreshToken ?? ""])
        // The content of a success means nothing (RFC 7009, 2.2).
        if answer.head.status == 200 { return }
        try answer.check()
    }
}
