// SPDX-License-Identifier: MIT

#if canImport(CryptoKit)
import CryptoKit
#else
internal import CCryptoShim
#endif

/// The hash functions of Digest (RFC 7616), PKCE and certificate pins, computed by libcrypto, or by CryptoKit on Apple platforms.
package enum HashFunction: Sendable, Hashable, CaseIterable {
    case md5
    case sha256
    /// SHA-512/256 of FIPS 180-4. CryptoKit does not offer it.
    case sha512_256

    /// Whether the platform computes it: no MD5 where libcrypto is restricted to FIPS, no SHA-512/256 on Apple platforms.
    package var isAvailable: Bool {
        #if canImport(CryptoKit)
        self != .sha512_256
        #else
        ccrypto_hash_is_available(shimmed)
        #endif
    }

    /// The name as Digest's `algorithm` parameter spells it.
    package var name: String {
        switch self {
        case .md5: "MD5"
        case .sha256: "SHA-256"
        case .sha512_256: "SHA-512-256"
        }
    }

    /// The hash of `bytes`: 16 bytes for MD5, otherwise 32.
    package func hash(_ bytes: UnsafeRawBufferPointer) throws(HTTPAuthenticationError) -> [UInt8] {
        #if canImport(CryptoKit)
        // By `update`, which is public API everywhere, as a one-call form over a buffer is not.
        switch self {
        case .md5:
            var hash = Insecure.MD5()
            hash.update(bufferPointer: bytes)
            return Array(hash.finalize())
        case .sha256:
            var hash = SHA256()
            hash.update(bufferPointer: bytes)
            return Array(hash.finalize())
        case .sha512_256:
            throw .hashUnavailable(name)
        }
        #else
        let output = [UInt8](unsafeUninitializedCapacity: Int(CCRYPTO_MAX_HASH_SIZE)) { buffer, count in
            count = ccrypto_hash_bytes(shimmed, bytes.baseAddress, bytes.count, buffer.baseAddress!)
        }
        guard !output.isEmpty else { throw .hashUnavailable(name) }
        return output
        #endif
    }

    package func hash(_ bytes: [UInt8]) throws(HTTPAuthenticationError) -> [UInt8] {
        // A result, since `withUnsafeBytes` does not carry a typed error.
        let result: Result<[UInt8], HTTPAuthenticationError> = bytes.withUnsafeBytes { buffer in
            do throws(HTTPAuthenticationError) {
                return .success(try hash(buffer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    #if !canImport(CryptoKit)
    var shimmed: ccrypto_hash {
        switch self {
        case .md5: CCRYPTO_MD5
        case .sha256: CCRYPTO_SHA256
        case .sha512_256: CCRYPTO_SHA512_256
        }
    }
    #endif
}
