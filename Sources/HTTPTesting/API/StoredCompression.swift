// SPDX-License-Identifier: MIT

import Foundation

/// gzip (RFC 1952) and zlib (RFC 1950) streams whose blocks are stored, not squeezed: valid for every decoder, and made without a library.
enum StoredCompression {
    static func gzip(_ data: Data) -> Data {
        var bytes = Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
        appendBlocks(of: data, to: &bytes)
        withUnsafeBytes(of: crc32(data).littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: data.count).littleEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    static func zlib(_ data: Data) -> Data {
        var bytes = Data([0x78, 0x01])
        appendBlocks(of: data, to: &bytes)
        withUnsafeBytes(of: adler32(data).bigEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Stored blocks (RFC 1951, 3.2.4).
    private static func appendBlocks(of data: Data, to bytes: inout Data) {
        var rest = data
        repeat {
            let block = rest.prefix(0xffff)
            rest = rest.dropFirst(block.count)
            bytes.append(rest.isEmpty ? 1 : 0)
            let count = UInt16(block.count)
            withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: (~count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(block)
        } while !rest.isEmpty
    }

    private static func crc32(_ data: Data) -> UInt32 {
        var value = ~UInt32(0)
        for byte in data {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
        }
        return ~value
    }

    private static func adler32(_ data: Data) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
