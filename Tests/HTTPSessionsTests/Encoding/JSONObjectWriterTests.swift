// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPSessions

@Suite struct JSONObjectWriterTests {
    private func text(_ object: Any, escapingSlashes: Bool = true) -> String? {
        JSONObjectWriter.write(object, escapingSlashes: escapingSlashes).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `usual values are written with their keys in order`() {
        let object: [String: Any] = [
            "text": "é\"\\/", "list": [1, -2.5, true, false, NSNull(), [Int](), [String: Int]()] as [Any], "zero": 1.0,
            "nested": ["b": 1, "a": 2],
        ]

        #expect(
            text(object)
                == #"{"list":[1,-2.5,true,false,null,[],{}],"nested":{"a":2,"b":1},"text":"é\"\\\/","zero":1}"#)
        #expect(text(["u": "a/b"], escapingSlashes: false) == #"{"u":"a/b"}"#)
        #expect(text([]) == "[]")
    }

    @Test(arguments: Array(UInt8(0)..<128))
    func `each ASCII character is written as JSONSerialization does`(byte: UInt8) throws {
        let object = ["a\(UnicodeScalar(byte))z"]

        let ours = try #require(JSONObjectWriter.write(object, escapingSlashes: true))
        let theirs = try JSONSerialization.data(withJSONObject: object)
        #expect(String(decoding: ours, as: UTF8.self).lowercased() == String(decoding: theirs, as: UTF8.self).lowercased())
    }

    @Test func `numbers are written as JSONSerialization does`() throws {
        let values: [Any] = [
            0, -1, Int.max, Int.min, 0.1, 1.5, -2.0, 1e20, 1e-7, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude,
            123_456_789.123,
        ]

        for value in values {
            let ours = try #require(JSONObjectWriter.write([value], escapingSlashes: true))
            #expect(ours == (try JSONSerialization.data(withJSONObject: [value])), "\(value)")
        }
    }

    @Test func `what is not usual is left to JSONSerialization`() {
        for value in [Date(), Double.nan, Double.infinity, NSNumber(value: 1), UInt8(1), Decimal(1), Data(), [1: 2], Optional(1) as Any]
            as [Any]
        {
            #expect(text(["v": value]) == nil, "\(type(of: value))")
        }
        #expect(text("fragment") == nil)
        #expect(text(5) == nil)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `whatever is written is read back as it was`(seed: UInt64) throws {
        var random = Steps(state: seed)
        for _ in 0..<100 {
            let object = ["root": Self.value(depth: 4, using: &random)]
            let written = try #require(JSONObjectWriter.write(object, escapingSlashes: random.next() % 2 == 0))
            let read = try JSONSerialization.jsonObject(with: written) as? NSDictionary
            #expect(read == object as NSDictionary)
        }
    }

    /// SplitMix64.
    private struct Steps: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    private static func value(depth: Int, using random: inout Steps) -> Any {
        switch random.next() % (depth > 0 ? 7 : 5) {
        case 0: Int.random(in: -1_000_000...1_000_000, using: &random)
        case 1: Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 64
        case 2: Bool.random(using: &random)
        case 3: NSNull()
        case 4: text(using: &random)
        case 5: (0..<random.next() % 4).map { _ in value(depth: depth - 1, using: &random) }
        default:
            Dictionary(
                (0..<random.next() % 4).map { _ in (text(using: &random), value(depth: depth - 1, using: &random)) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    private static func text(using random: inout Steps) -> String {
        let scalars = "aZ0 /\\\"\n\t\u{1}\u{1F}\u{7F}é€😀".unicodeScalars
        return String(String.UnicodeScalarView((0..<random.next() % 8).compactMap { _ in scalars.randomElement(using: &random) }))
    }
}
