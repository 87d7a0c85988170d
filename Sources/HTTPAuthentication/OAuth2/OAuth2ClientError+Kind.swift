// SPDX-License-Identifier: MIT

extension OAuth2ClientError {
    /// One of a fixed set of words; new ones may be added. Those that a server says are spelled as the RFCs spell them.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The word, safe in metrics.
        public let rawValue: String
        /// A kind by its word.
        public init(rawValue: String) { self.rawValue = rawValue }
        private init(_ word: String) { rawValue = word }

        // MARK: What a token endpoint says (RFC 6749, 5.2)

        /// The request lacks a parameter or has one too many.
        public static let invalidRequest = Kind("invalid_request")
        /// The client is unknown, or its secret is wrong.
        public static let invalidClient = Kind("invalid_client")
        /// The code or the refresh token is not good, or no more.
        public static let invalidGrant = Kind("invalid_grant")
        /// The client may not use this grant.
        public static let unauthorizedClient = Kind("unauthorized_client")
        /// The server does not offer this grant.
        public static let unsupportedGrantType = Kind("unsupported_grant_type")
        /// A scope is unknown or not to be had.
        public static let invalidScope = Kind("invalid_scope")

        // MARK: What an authorization endpoint says (RFC 6749, 4.1.2.1)

        /// The person, or the server on its own, said no.
        public static let accessDenied = Kind("access_denied")
        /// The server does not hand out codes in this way.
        public static let unsupportedResponseType = Kind("unsupported_response_type")
        /// The server failed.
        public static let serverError = Kind("server_error")
        /// The server is overloaded or being maintained.
        public static let temporarilyUnavailable = Kind("temporarily_unavailable")

        // MARK: What is said while a device waits (RFC 8628, 3.5)

        /// The person has not decided yet. ``OAuth2Client/token(for:)`` goes on asking and does not throw it.
        public static let authorizationPending = Kind("authorization_pending")
        /// The device asks too often. ``OAuth2Client/token(for:)`` asks less often and does not throw it.
        public static let slowDown = Kind("slow_down")
        /// The device's code has ended before the person decided.
        public static let expiredToken = Kind("expired_token")

        // MARK: What a revocation endpoint says (RFC 7009, 2.2.1)

        /// The server does not revoke tokens of this type.
        public static let unsupportedTokenType = Kind("unsupported_token_type")

        /// The server said no with a code that none of the RFCs above has; ``OAuth2ClientError/serverCode`` is its word.
        public static let refused = Kind("refused")

        // MARK: Answers that make no sense

        /// The answer is not the JSON that was expected.
        public static let malformedResponse = Kind("malformedResponse")
        /// The status is neither a success nor an error that the server explains.
        public static let unexpectedStatus = Kind("unexpectedStatus")
        /// The endpoint answered with a redirect, which is not followed: what is sent there is for nobody else.
        public static let redirected = Kind("redirected")
        /// The answer is longer than ``OAuth2Client/Options/contentLimit``.
        public static let responseTooLarge = Kind("responseTooLarge")
        /// The token's type is not `Bearer`, the only one that can be sent (RFC 6749, 7.1).
        public static let tokenTypeNotSupported = Kind("tokenTypeNotSupported")
        /// The token has ended already, by the server's own word.
        public static let expiredOnArrival = Kind("expiredOnArrival")
        /// The server says that it is another one than was asked (RFC 8414, 3.3; RFC 9207).
        public static let issuerMismatch = Kind("issuerMismatch")

        // MARK: Redirects of the browser

        /// The redirect is not the answer to this log-in: its `state` is missing or another one (RFC 6749, 10.12).
        public static let stateMismatch = Kind("stateMismatch")
        /// The redirect leads elsewhere, has a parameter twice, or brings no code.
        public static let malformedRedirect = Kind("malformedRedirect")
        /// The log-in's answer was used before; a code is good for one time.
        public static let alreadyUsed = Kind("alreadyUsed")

        // MARK: Requests that fail on their way

        /// The server could not be reached, or the connection broke; ``OAuth2ClientError/underlyingError`` says how.
        public static let unreachable = Kind("unreachable")
        /// There was no complete answer within ``OAuth2Client/Options/requestTimeout``.
        public static let timedOut = Kind("timedOut")
        /// The task was cancelled.
        public static let cancelled = Kind("cancelled")

        // MARK: Requests that are not sent

        /// The endpoint's connection would not be encrypted (RFC 6749, 3.1 and 3.2).
        public static let insecureEndpoint = Kind("insecureEndpoint")
        /// The server has no such endpoint, as far as is known.
        public static let missingEndpoint = Kind("missingEndpoint")
        /// The token came without a refresh token.
        public static let missingRefreshToken = Kind("missingRefreshToken")
        /// What the caller passed makes no request.
        public static let invalidArgument = Kind("invalidArgument")
        /// The system has no randomness or no hash function.
        public static let cryptographyUnavailable = Kind("cryptographyUnavailable")
        /// No browser could be started.
        public static let browserUnavailable = Kind("browserUnavailable")
        /// The redirect could not be waited for on this machine.
        public static let redirectUnavailable = Kind("redirectUnavailable")
    }
}

extension OAuth2ClientError.Kind {
    /// What an error code of a server means and what to do about it; `nil` for codes that no RFC here has.
    static func advice(for code: String) -> (kind: OAuth2ClientError.Kind, advice: String)? {
        advices[code].map { (OAuth2ClientError.Kind(rawValue: code), $0) }
    }

    private static let advices = [
        "invalid_request":
            "the server finds the request malformed; check the endpoint, the redirect URL and additional parameters",
        "invalid_client":
            "the client is unknown or its authentication is wrong; check the client identifier, the secret, and whether the server wants it "
            + "with Basic or in the form",
        "invalid_grant":
            "the code or the refresh token has expired, was revoked or used before, or belongs to another client; log in again",
        "unauthorized_client": "this client may not use this grant; have it allowed at the server",
        "unsupported_grant_type": "the server does not offer this grant; use another one",
        "invalid_scope": "a scope is unknown or goes beyond what may be asked for; ask for fewer",
        "access_denied": "the person or the server refused; ask again only if the person wants it",
        "unsupported_response_type": "the server gives no code in this way; check how the client is registered",
        "server_error": "the server failed; try later",
        "temporarily_unavailable": "the server is overloaded or being maintained; try later",
        "authorization_pending": "the person has not decided yet; ask again after the interval",
        "slow_down": "the device asks too often; wait five seconds longer between two requests",
        "expired_token": "the device's code has expired before the person decided; begin again with a new code",
        "unsupported_token_type": "the server does not revoke tokens of this type; it ends by itself",
    ]
}
