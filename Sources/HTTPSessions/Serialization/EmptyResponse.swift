// SPDX-License-Identifier: MIT

/// A type that has a value for a response that rightly has no content (204, 205, an answer to HEAD).
public protocol EmptyResponse: Sendable {
    /// The value for no content.
    static func emptyValue() -> Self
}

/// The value of a response without content.
public struct Empty: Codable, Sendable, Equatable, EmptyResponse {
    /// The only value.
    public static let value = Empty()

    /// ``value``.
    public static func emptyValue() -> Empty { value }
}
