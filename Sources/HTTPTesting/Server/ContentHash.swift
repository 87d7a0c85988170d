// SPDX-License-Identifier: MIT

import Foundation

/// A quick 64-bit checksum over content of any size, to compare what was sent with what arrived; it protects against nothing.
///
/// The result depends on the bytes only, not on the pieces in which they came.
public struct ContentHash: Sendable {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325
    private var tail: UInt64 = 0
    private var tailByteCount: UInt64 = 0
    private var byteCount: UInt64 = 0

    /// The hash of nothing.
    public init() {}

    /// The hash of `bytes` in one go.
    public static func of(_ bytes: some ContiguousBytes) -> UInt64 {
        var hash = ContentHash()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.value
    }

    /// Adds bytes at the end.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        byteCount += UInt64(bytes.count)
        var offset = 0
        while tailByteCount != 0, offset < bytes.count {
            addToTail(bytes[offset])
            offset += 1
        }
        while offset + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        while offset < bytes.count {
            addToTail(bytes[offset])
            offset += 1
        }
    }

    /// The hash of everything added so far.
    public var value: UInt64 {
        var end = self
        end.mix(end.tail)
        end.mix(byteCount)
        return end.state
    }

    private mutating func addToTail(_ byte: UInt8) {
        tail |= UInt64(byte) << (tailByteCount * 8)
        tailByteCount += 1
        if tailByteCount == 8 {
            mix(tail)
            tail = 0
            tailByteCount = 0
        }
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0x0000_0100_0000_01b3
        state ^= state >> 29
    }
}
