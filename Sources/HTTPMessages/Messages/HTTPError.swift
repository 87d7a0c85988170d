// SPDX-License-Identifier: MIT

import Foundation

/// Why a message could not be exchanged, in the words of a transport.
///
/// The sentence says what was attempted, what was wrong and, where there is something, what to do. It never holds a URL's user
/// information or query, nor a field's value.
public struct HTTPError: Error, Sendable, LocalizedError, CustomStringConvertible, CustomReflectable {
    /// One of a fixed set of words; new ones may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The word, safe in metrics: it holds nothing taken from a message.
        public let rawValue: String
        /// A kind by its word.
        public init(rawValue: String) { self.rawValue = rawValue }
        private init(_ word: String) { rawValue = word }

        /// The URL names no host, or libcurl refuses it.
        public static let invalidURL = Kind("invalidURL")
        /// The scheme is neither http nor https; redirects are checked, too.
        public static let unsupportedScheme = Kind("unsupportedScheme")
        /// The method is not a token (RFC 9110, 9.1).
        public static let invalidMethod = Kind("invalidMethod")
        /// A field's name is not a token or its value holds CR, LF or NUL.
        public static let invalidField = Kind("invalidField")
        /// The body has to be sent again but can be read only once.
        public static let bodyNotReplayable = Kind("bodyNotReplayable")
        /// The body's file is missing or unreadable, or its stream failed.
        public static let bodyUnreadable = Kind("bodyUnreadable")
        /// The body turned out to be shorter or longer than it said.
        public static let bodyLengthMismatch = Kind("bodyLengthMismatch")
        /// The name of the host, or of the proxy, has no address.
        public static let hostNotFound = Kind("hostNotFound")
        /// No connection could be made.
        public static let connectFailed = Kind("connectFailed")
        /// No connection was made within ``Timeouts/connect``.
        public static let connectTimedOut = Kind("connectTimedOut")
        /// Nothing moved for ``Timeouts/idle``.
        public static let idleTimedOut = Kind("idleTimedOut")
        /// The whole exchange took longer than ``Timeouts/resource``.
        public static let resourceTimedOut = Kind("resourceTimedOut")
        /// The connection was closed or reset before the response was complete.
        public static let connectionLost = Kind("connectionLost")
        /// The server closed the connection without a response head.
        public static let noResponse = Kind("noResponse")
        /// What arrived is not HTTP, or breaks its rules.
        public static let malformedResponse = Kind("malformedResponse")
        /// The head is longer than ``TransportLimits/headBytes``.
        public static let headTooLarge = Kind("headTooLarge")
        /// Content-Length fields contradict each other, or stand beside Transfer-Encoding (RFC 9112, 6.3).
        public static let conflictingContentLength = Kind("conflictingContentLength")
        /// The content ended before its declared length.
        public static let truncatedContent = Kind("truncatedContent")
        /// The content is longer than may be collected, or decompresses to more than that.
        public static let contentTooLarge = Kind("contentTooLarge")
        /// The content coding could not be undone.
        public static let decompressionFailed = Kind("decompressionFailed")
        /// The TLS handshake failed.
        public static let tlsFailed = Kind("tlsFailed")
        /// The server's certificate has no trusted issuer.
        public static let certificateUntrusted = Kind("certificateUntrusted")
        /// The server's certificate has expired or is not yet valid.
        public static let certificateExpired = Kind("certificateExpired")
        /// The server's certificate is for another host.
        public static let certificateWrongHost = Kind("certificateWrongHost")
        /// The server wants a certificate of the client's, or refused the one it got.
        public static let clientCertificateRejected = Kind("clientCertificateRejected")
        /// The trust decision that the caller set up refused the server's chain.
        public static let serverTrustRefused = Kind("serverTrustRefused")
        /// More redirects than allowed.
        public static let redirectLimitReached = Kind("redirectLimitReached")
        /// A redirect leads nowhere that may be followed.
        public static let redirectRefused = Kind("redirectRefused")
        /// A challenge could not be answered with the credentials at hand.
        public static let credentialsUnusable = Kind("credentialsUnusable")
        /// The proxy refused, or could not reach the server.
        public static let proxyFailed = Kind("proxyFailed")
        /// The file for the content cannot be written.
        public static let destinationNotWritable = Kind("destinationNotWritable")
        /// The caller cancelled.
        public static let cancelled = Kind("cancelled")
        /// The transport in use cannot do what was asked for.
        public static let unsupportedByTransport = Kind("unsupportedByTransport")
        /// The session or transport is shut down.
        public static let shutDown = Kind("shutDown")
        /// None of the others.
        public static let other = Kind("other")
    }

    /// Out of line: an error is rare, and everything that could hold one is copied for every request.
    private final class Details: Sendable {
        let kind: Kind
        let attempt: String
        let reason: String
        let underlyingError: (any Error)?

        init(_ kind: Kind, attempt: String, reason: String, underlyingError: (any Error)?) {
            self.kind = kind
            self.attempt = attempt
            self.reason = reason
            self.underlyingError = underlyingError
        }
    }

    private let details: Details

    /// An error of `kind`, met while `attempting`; `reason` is a clause, in lower case and without a full stop.
    public init(_ kind: Kind, attempting attempt: String, _ reason: String, underlyingError: (any Error)? = nil) {
        details = Details(kind, attempt: attempt, reason: reason, underlyingError: underlyingError)
    }

    /// What kind of failure this is.
    public var kind: Kind { details.kind }
    /// What was attempted: the method and the URL without its secrets.
    public var attempt: String { details.attempt }
    /// What went wrong and what to do.
    public var reason: String { details.reason }
    /// What the library or system below said, if it did.
    public var underlyingError: (any Error)? { details.underlyingError }

    /// `kind` as one word for metrics.
    public var label: String { kind.rawValue }
    /// One sentence: what was attempted, and what went wrong.
    public var description: String { "\(attempt) failed: \(reason)." }
    /// The same as ``description``.
    public var errorDescription: String? { description }
    /// Shows the kind, the attempt, the reason and what lies under it.
    public var customMirror: Mirror {
        Mirror(self, children: ["kind": kind, "attempt": attempt, "reason": reason, "underlyingError": underlyingError as Any])
    }
}
