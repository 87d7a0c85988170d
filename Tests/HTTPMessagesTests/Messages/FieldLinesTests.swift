// SPDX-License-Identifier: MIT

import HTTPMessages
import Testing

/// Field lines as broken servers write them, against a reading of them that takes no short cuts.
@Suite struct FieldLinesTests {
    /// An xorshift generator.
    private struct Steps: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    private struct Pair: Equatable {
        var name: String
        var value: String
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? bytes.map { String(Unicode.Scalar($0)) }.joined()
    }

    private static func pairs(_ lines: [UInt8]) -> [Pair] {
        lines.split(separator: 0x0A).compactMap { line in
            guard let colon = line.firstIndex(of: 0x3A) else { return nil }
            let spaces: Set<UInt8> = [0x20, 0x09, 0x0D]
            let value = line[(colon + 1)...].drop { spaces.contains($0) }
            let length = (value.lastIndex { !spaces.contains($0) } ?? value.startIndex - 1) + 1 - value.startIndex
            return Pair(name: text(line[..<colon]), value: text(value.prefix(length)))
        }
    }

    @Test(
        arguments: [
            [], [0x0A], [0x0D], [0x3A], [0x3A, 0x0A], [0x0A, 0x0A], [0x61], [0x61, 0x3A], [0x61, 0x3A, 0x0D],
            [0x61, 0x3A, 0x20, 0x0D, 0x0A],
            [0x61, 0x3A, 0x62], [0x3A, 0x62, 0x0A], [0x61, 0x3A, 0xFF], [0xC3, 0x3A, 0xA4], [0x61, 0x3A, 0x00, 0x0A],
            [0x61, 0x0D, 0x62, 0x3A, 0x63],
        ] as [[UInt8]])
    func `corners are read`(lines: [UInt8]) {
        let fields = HTTPResponseHead(status: 200, version: .http1_1, fieldLines: lines).fields
        #expect(fields.map { Pair(name: $0.name, value: $0.value) } == Self.pairs(lines))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random lines are read as if slowly`(seed: UInt64) {
        var random = Steps(state: seed &* 0x9e37_79b9_7f4a_7c15)
        let alphabet: [UInt8] = [0x0A, 0x0A, 0x0D, 0x3A, 0x3A, 0x20, 0x09, 0x61, 0x41, 0x62, 0x42, 0x00, 0xC3, 0xA4, 0xFF]
        for _ in 0..<500 {
            let lines = (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let head = HTTPResponseHead(status: 200, version: .http1_1, fieldLines: lines)
            let expected = Self.pairs(lines)

            #expect(head.fields.map { Pair(name: $0.name, value: $0.value) } == expected, "\(lines)")
            for name in ["", "a", "A", "ab", "aB", "ä"] {
                let values = expected.filter { HTTPFields.equal($0.name, name) }.map(\.value)
                #expect(head.values(for: name) == values, "\(name) in \(lines)")
                #expect(head.value(for: name) == values.first, "\(name) in \(lines)")
            }
        }
    }
}
