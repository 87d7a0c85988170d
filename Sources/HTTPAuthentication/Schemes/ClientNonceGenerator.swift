// SPDX-License-Identifier: MIT

/// Where Digest's `cnonce` values come from. A test hands in fixed ones.
package struct ClientNonceGenerator: Sendable {
    package let next: @Sendable () throws(HTTPAuthenticationError) -> String

    package init(_ next: @escaping @Sendable () throws(HTTPAuthenticationError) -> String) { self.next = next }

    /// 128 random bits, in hexadecimal.
    package static let random = ClientNonceGenerator { () throws(HTTPAuthenticationError) in Hexadecimal.string(try SecureRandom.bytes(16))
    }

    /// Always `value`.
    package static func constant(_ value: String) -> ClientNonceGenerator {
        ClientNonceGenerator { () throws(HTTPAuthenticationError) in value }
    }
}
