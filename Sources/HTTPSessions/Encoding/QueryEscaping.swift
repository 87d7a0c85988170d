// SPDX-License-Identifier: MIT

import Foundation

/// Percent-encoding for names and values of a query or form (RFC 3986 section 2.1; `/` and `?` may stand in a query, section 3.4).
enum QueryEscaping {
    /// Bit n is set if the ASCII character n stays as it is.
    private static let unescaped: (low: UInt64, high: UInt64) = {
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?".utf8 {
            if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
        }
        return bits
    }()

    static func isUnescaped(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: unescaped.low >> UInt64(byte) & 1 == 1
        case 64..<128: unescaped.high >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }

    static func escape(_ string: String) -> String {
        guard !string.utf8.allSatisfy(isUnescaped) else { return string }
        var escaped: [UInt8] = []
        append(string, to: &escaped)
        return String(decoding: escaped, as: UTF8.self)
    }

    static func append(_ string: String, to bytes: inout [UInt8]) {
        for byte in string.utf8 {
            if isUnescaped(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexDigit(byte >> 4))
                bytes.append(hexDigit(byte & 0x0F))
            }
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

extension CharacterSet {
    /// What stays unescaped in a form's or query's names and values: `A-Z a-z 0-9 - . _ ~ / ?`.
    public static let afURLQueryAllowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?")
}

extension URL {
    /// The URL with `query`, already escaped, after its own query, which stays as it is, and before its fragment.
    ///
    /// Works on the text: `URLComponents` would parse and write the whole URL twice.
    /// - Throws: ``AFError/invalidURL(url:)`` if the URL's text cannot take a query.
    func appendingQuery(_ query: [UInt8]) throws -> URL {
        guard !query.isEmpty else { return self }
        let text = absoluteString
        let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        var result = String(text[..<end])
        switch text.utf8[..<end].firstIndex(of: UInt8(ascii: "?")) {
        case nil: result.append("?")
        case let mark? where text.utf8.index(after: mark) == end: break
        case _?: result.append("&")
        }
        result.append(String(decoding: query, as: UTF8.self))
        result.append(contentsOf: text[end...])
        return try result.asURL()
    }
}
