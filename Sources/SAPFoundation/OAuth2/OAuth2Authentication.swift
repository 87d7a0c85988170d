// SPDX-License-Identifier: MIT

import Foundation

/// Gets tokens and renews them.
public protocol OAuth2Authentication {
    /// Gets a token, which may mean asking a person; calls `completionHandler` once, from any thread.
    func authenticate(completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void)
    /// Gets another token with the refresh token of `token`; calls `completionHandler` once, from any thread.
    func refresh(token: OAuth2Token, completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void)
    /// Ends what is under way with ``OAuth2Error/cancelled``.
    func cancelAuthentication()
}
