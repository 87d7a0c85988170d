// SPDX-License-Identifier: MIT

/// The protocol version that a message was sent with.
public enum HTTPVersion: String, Sendable, Hashable, Comparable, CaseIterable {
    /// HTTP/1.0.
    case http1_0 = "HTTP/1.0"
    /// HTTP/1.1 (RFC 9112).
    case http1_1 = "HTTP/1.1"
    /// HTTP/2 (RFC 9113).
    case http2 = "HTTP/2"
    /// HTTP/3 (RFC 9114).
    case http3 = "HTTP/3"

    /// Older versions come first.
    public static func < (lhs: HTTPVersion, rhs: HTTPVersion) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}
