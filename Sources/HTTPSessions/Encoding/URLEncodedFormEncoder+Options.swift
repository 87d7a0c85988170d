// SPDX-License-Identifier: MIT

import Foundation

extension URLEncodedFormEncoder {
    /// How the name of an array's element is made.
    public enum ArrayEncoding: Sendable {
        /// `key[]`.
        case brackets
        /// `key`.
        case noBrackets
        /// `key[0]`, `key[1]`, …
        case indexInBrackets
        /// What the closure returns; it is escaped afterwards.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        func encode(_ key: String, atIndex index: Int) -> String {
            switch self {
            case .brackets: "\(key)[]"
            case .noBrackets: key
            case .indexInBrackets: "\(key)[\(index)]"
            case .custom(let encoding): encoding(key, index)
            }
        }
    }

    /// How a Boolean is written.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal

        func encode(_ value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// How data is written.
    public enum DataEncoding: Sendable {
        /// As it encodes itself: an array of numbers.
        case deferredToData
        /// In Base64.
        case base64
        /// What the closure returns.
        case custom(@Sendable (Data) throws -> String)

        /// The text, or nil to let the data encode itself.
        func encode(_ data: Data) throws -> String? {
            switch self {
            case .deferredToData: nil
            case .base64: data.base64EncodedString()
            case .custom(let encoding): try encoding(data)
            }
        }
    }

    /// How a date is written.
    public enum DateEncoding: @unchecked Sendable {  // a formatter is only read
        /// As it encodes itself: seconds since 2001.
        case deferredToDate
        /// Seconds since 1970.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// `2026-11-30T10:00:00Z` (RFC 3339).
        case iso8601
        /// What the formatter makes of it. The formatter must not be changed while it is used.
        case formatted(DateFormatter)
        /// What the closure returns.
        case custom(@Sendable (Date) throws -> String)

        /// The text, or nil to let the date encode itself.
        func encode(_ date: Date) throws -> String? {
            switch self {
            case .deferredToDate: nil
            case .secondsSince1970: String(date.timeIntervalSince1970)
            case .millisecondsSince1970: String(date.timeIntervalSince1970 * 1000)
            case .iso8601: date.formatted(.iso8601)
            case .formatted(let formatter): formatter.string(from: date)
            case .custom(let encoding): try encoding(date)
            }
        }
    }

    /// How the name of a nested value is made of its parent's name and its own key.
    public struct KeyPathEncoding: Sendable {
        /// `parent[child]`.
        public static let brackets = KeyPathEncoding { "[\($0)]" }
        /// `parent.child`.
        public static let dots = KeyPathEncoding { ".\($0)" }

        private let encoding: @Sendable (_ subkey: String) -> String

        /// Appends what the closure makes of the key to the parent's name.
        public init(encoding: @escaping @Sendable (_ subkey: String) -> String) {
            self.encoding = encoding
        }

        func encode(_ key: String) -> String { encoding(key) }
    }

    /// How nil is written. A synthesized `encode(to:)` leaves out keys whose value is nil only with ``dropKey``.
    public struct NilEncoding: Sendable {
        /// Neither the key nor a value.
        public static let dropKey = NilEncoding { nil }
        /// The key with an empty value.
        public static let dropValue = NilEncoding { "" }
        /// The key with the value `null`.
        public static let null = NilEncoding { "null" }

        private let encoding: @Sendable () -> String?

        /// Writes what the closure returns; nil drops the key.
        public init(encoding: @escaping @Sendable () -> String?) {
            self.encoding = encoding
        }

        func encodeNil() -> String? { encoding() }
    }

    /// How a space is written.
    public enum SpaceEncoding: Sendable {
        /// `%20`.
        case percentEscaped
        /// `+`; a plus sign is `%2B` either way.
        case plusReplaced

        func escape(_ text: String, allowed: CharacterSet) -> String {
            switch self {
            case .percentEscaped: return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
            case .plusReplaced:
                let escaped = text.addingPercentEncoding(withAllowedCharacters: allowed.union(CharacterSet(charactersIn: " "))) ?? ""
                return escaped.replacing(" ", with: "+")
            }
        }
    }
}
