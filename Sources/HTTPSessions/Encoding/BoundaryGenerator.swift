// SPDX-License-Identifier: MIT

/// Chooses the boundary between the parts of a multipart form (RFC 2046 section 5.1.1).
///
/// A boundary is at most 70 characters long and must not occur in any part; parts are not searched for it.
public struct BoundaryGenerator: Sendable {
    /// A fixed prefix and 64 random bits, so that a boundary neither repeats nor occurs in a part by chance.
    public static let random = BoundaryGenerator { random(using: &$0) }

    private let generate: @Sendable (inout SystemRandomNumberGenerator) -> String

    /// Always the same boundary, for tests that compare bytes.
    public static func constant(_ boundary: String) -> BoundaryGenerator {
        BoundaryGenerator { _ in boundary }
    }

    /// The next boundary.
    public func boundary() -> String {
        var generator = SystemRandomNumberGenerator()
        return generate(&generator)
    }

    /// A random boundary whose bits come from `generator`. All its characters may stand unquoted in `Content-Type`.
    static func random(using generator: inout some RandomNumberGenerator) -> String {
        let digits = String(generator.next() as UInt64, radix: 16)
        return "openmoya.boundary." + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
