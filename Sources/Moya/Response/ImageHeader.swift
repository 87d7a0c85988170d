// SPDX-License-Identifier: MIT

#if !canImport(UIKit) && !canImport(AppKit)
import Foundation

/// Reads an image's dimensions from its header. Every access is checked: the bytes come from outside.
enum ImageHeader {
    struct Dimensions: Equatable {
        var width: Int
        var height: Int

        /// No image has no pixels.
        init?(_ width: Int?, _ height: Int?) {
            guard let width, let height, width > 0, height > 0 else { return nil }
            self.width = width
            self.height = height
        }
    }

    static func dimensions(of data: Data) -> Dimensions? {
        let bytes = Bytes(data)
        if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return png(bytes) }
        if bytes.has([0xFF, 0xD8, 0xFF], at: 0) { return jpeg(bytes) }
        if bytes.has(Array("GIF87a".utf8), at: 0) || bytes.has(Array("GIF89a".utf8), at: 0) {
            return Dimensions(bytes.little(2, at: 6), bytes.little(2, at: 8))
        }
        if bytes.has(Array("RIFF".utf8), at: 0), bytes.has(Array("WEBP".utf8), at: 8) { return webP(bytes) }
        if bytes.has(Array("BM".utf8), at: 0) { return bmp(bytes) }
        if bytes.has([0x49, 0x49, 0x2A, 0x00], at: 0) { return tiff(bytes, isLittleEndian: true) }
        if bytes.has([0x4D, 0x4D, 0x00, 0x2A], at: 0) { return tiff(bytes, isLittleEndian: false) }
        return nil
    }

    /// The header chunk comes first.
    private static func png(_ bytes: Bytes) -> Dimensions? {
        guard bytes.has(Array("IHDR".utf8), at: 12) else { return nil }
        return Dimensions(bytes.big(4, at: 16), bytes.big(4, at: 20))
    }

    /// Walks over the segments to the frame header: C0 to CF, but for the tables C4, C8 and CC.
    private static func jpeg(_ bytes: Bytes) -> Dimensions? {
        var position = 2
        while let mark = bytes.big(1, at: position), mark == 0xFF, let kind = bytes.big(1, at: position + 1) {
            switch kind {
            case 0xFF:
                position += 1  // a fill byte
            case 0x01, 0xD0...0xD8:
                position += 2  // segments without a length
            case 0xC0...0xCF where kind != 0xC4 && kind != 0xC8 && kind != 0xCC:
                return Dimensions(bytes.big(2, at: position + 7), bytes.big(2, at: position + 5))
            default:
                guard let length = bytes.big(2, at: position + 2), length >= 2 else { return nil }
                position += 2 + length
            }
        }
        return nil
    }

    /// Lossy, lossless and extended files each store the size in another way (RFC 9649, 2.5 to 2.7).
    private static func webP(_ bytes: Bytes) -> Dimensions? {
        if bytes.has(Array("VP8X".utf8), at: 12) {
            return Dimensions(bytes.little(3, at: 24).map { $0 + 1 }, bytes.little(3, at: 27).map { $0 + 1 })
        }
        if bytes.has(Array("VP8L".utf8), at: 12), bytes.has([0x2F], at: 20), let bits = bytes.little(4, at: 21) {
            return Dimensions((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        if bytes.has(Array("VP8 ".utf8), at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23) {
            return Dimensions(bytes.little(2, at: 26).map { $0 & 0x3FFF }, bytes.little(2, at: 28).map { $0 & 0x3FFF })
        }
        return nil
    }

    /// The oldest header has two-byte sizes; a negative height means that the rows run downwards.
    private static func bmp(_ bytes: Bytes) -> Dimensions? {
        guard let headerLength = bytes.little(4, at: 14) else { return nil }
        if headerLength == 12 { return Dimensions(bytes.little(2, at: 18), bytes.little(2, at: 20)) }
        guard headerLength >= 40, let height = bytes.little(4, at: 22) else { return nil }
        return Dimensions(bytes.little(4, at: 18), height > Int(Int32.max) ? 0x1_0000_0000 - height : height)
    }

    /// Looks in the first directory for the tags 256 (width) and 257 (height).
    private static func tiff(_ bytes: Bytes, isLittleEndian: Bool) -> Dimensions? {
        func number(_ count: Int, at position: Int) -> Int? {
            isLittleEndian ? bytes.little(count, at: position) : bytes.big(count, at: position)
        }
        guard let directory = number(4, at: 4), let entryCount = number(2, at: directory) else { return nil }
        var width: Int?
        var height: Int?
        for entry in 0..<entryCount {
            let position = directory + 2 + entry * 12
            guard let tag = number(2, at: position) else { break }
            guard tag == 256 || tag == 257, let type = number(2, at: position + 2) else { continue }
            let value = number(type == 3 ? 2 : 4, at: position + 8)
            if tag == 256 { width = value } else { height = value }
        }
        return Dimensions(width, height)
    }
}

extension ImageHeader {
    /// Bytes by position, nil beyond the end.
    private struct Bytes {
        private let data: Data

        init(_ data: Data) { self.data = data }

        private subscript(position: Int) -> UInt8? {
            position >= 0 && position < data.count ? data[data.startIndex + position] : nil
        }

        func has(_ expected: [UInt8], at position: Int) -> Bool {
            expected.indices.allSatisfy { self[position + $0] == expected[$0] }
        }

        func big(_ count: Int, at position: Int) -> Int? { number(position..<position + count) }

        func little(_ count: Int, at position: Int) -> Int? { number((position..<position + count).reversed()) }

        /// The number that the bytes at these positions make, the highest first.
        private func number(_ positions: some Sequence<Int>) -> Int? {
            var number = 0
            for position in positions {
                guard let byte = self[position] else { return nil }
                number = number << 8 | Int(byte)
            }
            return number
        }
    }
}
#endif
