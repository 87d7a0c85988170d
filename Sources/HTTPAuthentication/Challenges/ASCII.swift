// SPDX-License-Identifier: MIT

import HTTPMessages

/// The character classes of RFC 9110, 5.6 and 11.2, by byte.
enum ASCII {
    static let tab = UInt8(ascii: "\t")
    static let space = UInt8(ascii: " ")
    static let comma = UInt8(ascii: ",")
    static let equals = UInt8(ascii: "=")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let slash = UInt8(ascii: "/")

    @inline(__always)
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }

    /// `tchar` of RFC 9110, 5.6.2.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool { HTTPFields.isTokenByte(byte) }

    /// The characters of `token68` (RFC 9110, 11.2) before its final equals signs.
    @inline(__always)
    static func isToken68(_ byte: UInt8) -> Bool {
        if isAlphanumeric(byte) { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), slash: return true
        default: return false
        }
    }

    /// `attr-char` of RFC 8187, 3.2.1: what an extended parameter value holds without percent-encoding.
    static func isAttribute(_ byte: UInt8) -> Bool {
        isToken(byte) && byte != UInt8(ascii: "*") && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "%")
    }

    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// Whether `previous` and `byte` encode a C1 control (U+0080 to U+009F) in UTF-8; terminals obey those as well.
    @inline(__always)
    static func isSecondHalfOfC1(_ byte: UInt8, after previous: UInt8) -> Bool { previous == 0xC2 && byte >= 0x80 && byte < 0xA0 }

    /// Only A to Z change; no other letter of Unicode does.
    static func lowercased(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }) else { return text }
        return String(decoding: text.utf8.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
