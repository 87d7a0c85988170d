// SPDX-License-Identifier: MIT

/// Lower-case hexadecimal, Digest's LHEX (RFC 7616, 3.3), as ASCII bytes.
enum Hexadecimal {
    static func bytes(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            output.append(digit(byte >> 4))
            output.append(digit(byte & 0x0F))
        }
        return output
    }

    static func string(_ bytes: [UInt8]) -> String {
        String(decoding: self.bytes(bytes), as: UTF8.self)
    }

    /// Eight digits, the form of `nc`.
    static func eightDigits(_ number: UInt32) -> String {
        string([
            UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
            UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
        ])
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
