// SPDX-License-Identifier: MIT

/// The method of a request (RFC 9110 section 9).
///
/// Methods are case-sensitive tokens (RFC 9110 section 9.1): `HTTPMethod(rawValue: "get")` is not ``get``.
public struct HTTPMethod: RawRepresentable, Equatable, Hashable, Sendable {
    /// Asks a proxy for a tunnel to an authority (RFC 9110 section 9.3.6).
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// Removes the target resource (RFC 9110 section 9.3.5).
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Reads the target resource (RFC 9110 section 9.3.1). A request with this method and a body is refused before it is sent.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Reads the head that GET would answer with (RFC 9110 section 9.3.2).
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Asks what the target resource supports (RFC 9110 section 9.3.7).
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Changes a part of the target resource (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Hands content to the target resource to process (RFC 9110 section 9.3.3).
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces the target resource (RFC 9110 section 9.3.4).
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Reads the target resource as the content of the request asks; safe and idempotent (draft-ietf-httpbis-safe-method-w-body).
    public static let query = HTTPMethod(rawValue: "QUERY")
    /// Asks for the message as the server received it (RFC 9110 section 9.3.8).
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// The token on the request line.
    public let rawValue: String

    /// Takes the token as it is; one that is not a valid token fails when the request is sent, not here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
