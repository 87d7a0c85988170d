// SPDX-License-Identifier: MIT

import Foundation

/// Reads DER elements (X.690) one after the other. Nil for anything that is not DER; never traps, whatever the bytes.
struct DERReader {
    /// One element.
    struct Element {
        /// The identifier octet.
        let tag: UInt8
        /// What lies between the length and the end.
        let content: Data
        /// Identifier, length and content.
        let encoding: Data
    }

    static let integer: UInt8 = 0x02
    static let sequence: UInt8 = 0x30
    /// `[0]`, constructed.
    static let context0: UInt8 = 0xA0

    private var rest: Data

    init(_ data: Data) {
        rest = data
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element, if it has this tag.
    mutating func read(_ tag: UInt8) -> Element? {
        var copy = self
        guard let element = copy.next(), element.tag == tag else { return nil }
        self = copy
        return element
    }

    /// The next element. Tags of more than one octet do not occur where this is used, and are refused.
    mutating func next() -> Element? {
        let bytes = rest
        guard bytes.count >= 2 else { return nil }
        let start = bytes.startIndex
        let tag = bytes[start]
        guard tag & 0x1F != 0x1F else { return nil }

        var position = start + 2
        var length = Int(bytes[start + 1])
        if length >= 0x80 {
            // The long form: the count of octets that hold the length. 0x80, the indefinite form, is not DER.
            let count = length & 0x7F
            guard (1...4).contains(count), bytes.endIndex - position >= count else { return nil }
            length = bytes[position..<(position + count)].reduce(0) { $0 << 8 | Int($1) }
            // DER wants the shortest form.
            guard length >= 0x80, bytes[position] != 0 else { return nil }
            position += count
        }
        guard length <= bytes.endIndex - position else { return nil }
        let end = position + length
        rest = bytes[end...]
        return Element(tag: tag, content: bytes[position..<end], encoding: bytes[start..<end])
    }
}
