// SPDX-License-Identifier: MIT

#if !canImport(CryptoKit)
internal import CCryptoShim
#endif

/// Randomness that an attacker cannot predict: libcrypto's generator, or the system's on Apple platforms.
package enum SecureRandom {
    package static func bytes(_ count: Int) throws(HTTPAuthenticationError) -> [UInt8] {
        #if canImport(CryptoKit)
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        #else
        var isFilled = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            isFilled = count == 0 || ccrypto_random_bytes(buffer.baseAddress!, count)
            initialized = isFilled ? count : 0
        }
        guard isFilled else { throw .randomnessUnavailable }
        return bytes
        #endif
    }
}
