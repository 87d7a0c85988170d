// SPDX-License-Identifier: MIT

import Foundation

/// Why an authorization server gave no token, or none that can be used.
///
/// The sentence says what was attempted, what was wrong and what to do. No secret, token, code or verifier is part of it: what the client
/// sent is taken out of the server's own words, should it be there.
public struct OAuth2ClientError: Error, Sendable {
    /// What kind of failure this is.
    public let kind: Kind
    /// What was attempted: the request in words and the endpoint without its query.
    public let attempt: String
    /// What went wrong and what to do.
    public let reason: String
    /// The response's status code, if there was a response.
    public let status: Int?
    /// The error code as the server spelled it (RFC 6749, 5.2), if it sent one; characters that the RFC does not allow are left out.
    public let serverCode: String?
    /// The server's own words, without control characters and without what the client sent; at most 300 characters.
    public let serverDescription: String?
    /// Where the server tells more, without its query; only http and https.
    public let serverURI: String?
    /// What the transport said, if it failed.
    public let underlyingError: (any Error)?

    package init(
        _ kind: Kind, attempting attempt: String, _ reason: String, status: Int? = nil, serverCode: String? = nil,
        serverDescription: String? = nil, serverURI: String? = nil, underlyingError: (any Error)? = nil
    ) {
        self.kind = kind
        self.attempt = attempt
        self.reason = reason
        self.status = status
        self.serverCode = serverCode
        self.serverDescription = serverDescription
        self.serverURI = serverURI
        self.underlyingError = underlyingError
    }

    /// ``kind`` as one word for metrics: it holds nothing taken from a message.
    public var label: String { kind.rawValue }

    /// Whether the authorization server itself has said no, as opposed to a request that failed on its way or an answer that made no sense.
    public var isRefusal: Bool { serverCode != nil }
}

extension OAuth2ClientError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One or two sentences: what was attempted, what went wrong and what to do; then the server's own words.
    public var description: String {
        var text = "\(attempt) failed: \(reason)."
        if let serverDescription { text += " The server says: “\(serverDescription)”." }
        return text
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The same as ``description``.
    public var errorDescription: String? { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["error": description], displayStyle: .struct) }
}
