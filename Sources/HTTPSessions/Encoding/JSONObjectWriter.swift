// SPDX-License-Identifier: MIT

import Foundation

/// Writes JSON (RFC 8259) as `JSONSerialization` does, ten times as fast on Linux, for the types that parameters are usually made of.
///
/// Anything else is refused and left to `JSONSerialization`. Keys are written in order, so that equal parameters give equal bodies.
struct JSONObjectWriter {
    private var bytes: [UInt8] = []
    private let escapesSlashes: Bool

    private init(escapesSlashes: Bool) {
        self.escapesSlashes = escapesSlashes
    }

    /// The JSON for an array or dictionary; nil if something in it is of another type, or has no JSON form.
    static func write(_ object: Any, escapingSlashes: Bool) -> Data? {
        var writer = JSONObjectWriter(escapesSlashes: escapingSlashes)
        writer.bytes.reserveCapacity(256)
        guard object is [String: Any] || object is [Any], writer.append(object) else { return nil }
        return Data(writer.bytes)
    }

    /// Whether the value could be written.
    private mutating func append(_ value: Any) -> Bool {
        // The exact type is asked for, since casts between numbers and Booleans succeed for values of other types.
        switch value {
        case let text as String: append(text)
        case let integer as Int where type(of: value) == Int.self: append(literal: String(integer))
        case let bool as Bool where type(of: value) == Bool.self: append(literal: bool ? "true" : "false")
        case let double as Double where type(of: value) == Double.self:
            guard double.isFinite else { return false }
            append(literal: ParameterValue.text(of: double))
        case is NSNull: append(literal: "null")
        case let array as [Any]: return append(array)
        case let dictionary as [String: Any]: return append(dictionary)
        default: return false
        }
        return true
    }

    private mutating func append(_ array: [Any]) -> Bool {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in array.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            guard append(element) else { return false }
        }
        bytes.append(UInt8(ascii: "]"))
        return true
    }

    private mutating func append(_ dictionary: [String: Any]) -> Bool {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for key in dictionary.keys.sorted() {
            guard let value = dictionary[key] else { continue }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(key)
            bytes.append(UInt8(ascii: ":"))
            guard append(value) else { return false }
        }
        bytes.append(UInt8(ascii: "}"))
        return true
    }

    private mutating func append(literal text: String) {
        bytes += text.utf8
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += #"\""#.utf8
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case UInt8(ascii: "/") where escapesSlashes: bytes += #"\/"#.utf8
            case 0x08: bytes += #"\b"#.utf8
            case 0x09: bytes += #"\t"#.utf8
            case 0x0A: bytes += #"\n"#.utf8
            case 0x0C: bytes += #"\f"#.utf8
            case 0x0D: bytes += #"\r"#.utf8
            case 0..<0x20:
                bytes += (byte < 0x10 ? #"\u000"# : #"\u001"#).utf8
                bytes += String(byte & 0x0F, radix: 16).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
