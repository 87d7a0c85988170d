// SPDX-License-Identifier: MIT

import HTTPAuthentication
import Testing

struct HashFunctionTests {
    /// "abc" and the empty string: RFC 1321, A.5; FIPS 180-4's published examples.
    @Test(arguments: [
        (HashFunction.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha512_256, "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (.sha512_256, "", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
    ])
    func `hashes are those of the published vectors, whole and in pieces`(function: HashFunction, text: String, expected: String) throws {
        guard function.isAvailable else { return }
        let whole = try function.hash(Array(text.utf8))
        let running = try RunningHash(function)
        for byte in text.utf8 { withUnsafeBytes(of: byte) { running.add($0) } }

        #expect(hexadecimal(whole) == expected)
        #expect(try running.finish() == whole)
    }

    @Test func `a finished hash gives no second result`() throws {
        let running = try RunningHash(.sha256)
        _ = try running.finish()

        #expect(throws: HTTPAuthenticationError.self) { try running.finish() }
    }

    @Test func `random bytes come in the number asked for and do not repeat`() throws {
        let first = try SecureRandom.bytes(32)
        let second = try SecureRandom.bytes(32)

        #expect(first.count == 32)
        #expect(first != second)
        #expect(try SecureRandom.bytes(0).isEmpty)
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
