// SPDX-License-Identifier: MIT

/// The name of an authentication scheme (RFC 9110, 11.1), such as `Basic`. Names are compared without regard to ASCII case.
public struct AuthenticationScheme: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as it was spelled.
    public let name: String
    private let comparable: String

    /// A scheme known by `name`; any spelling is taken, none is checked.
    public init(_ name: String) {
        self.name = name
        comparable = ASCII.lowercased(name)
    }

    /// The same as ``init(_:)``.
    public init(stringLiteral name: StringLiteralType) { self.init(name) }

    /// RFC 7617.
    public static let basic: Self = "Basic"
    /// RFC 7616.
    public static let digest: Self = "Digest"
    /// RFC 6750.
    public static let bearer: Self = "Bearer"
    /// RFC 4559: Kerberos, or NTLM inside SPNEGO.
    public static let negotiate: Self = "Negotiate"
    /// Microsoft's NTLM over HTTP; it authenticates a connection, not a request.
    public static let ntlm: Self = "NTLM"

    /// The name as it was spelled.
    public var description: String { name }

    /// True if both names are the same but for ASCII case.
    public static func == (left: Self, right: Self) -> Bool { left.comparable == right.comparable }

    /// Feeds the name without its case.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparable) }
}
