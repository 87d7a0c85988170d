// SPDX-License-Identifier: MIT

#if canImport(CryptoKit)
import CryptoKit
#else
internal import CCryptoShim
#endif

/// A hash over content that comes in pieces, such as a file's. One thread at a time.
package final class RunningHash {
    package let function: HashFunction

    #if canImport(CryptoKit)
    private enum State {
        case md5(Insecure.MD5)
        case sha256(SHA256)
    }
    private var state: State
    #else
    private let state: OpaquePointer
    private var failed = false
    #endif

    package init(_ function: HashFunction) throws(HTTPAuthenticationError) {
        self.function = function
        #if canImport(CryptoKit)
        switch function {
        case .md5: state = .md5(Insecure.MD5())
        case .sha256: state = .sha256(SHA256())
        case .sha512_256: throw .hashUnavailable(function.name)
        }
        #else
        guard let state = ccrypto_hash_start(function.shimmed) else { throw .hashUnavailable(function.name) }
        self.state = state
        #endif
    }

    #if !canImport(CryptoKit)
    deinit { ccrypto_hash_free(state) }
    #endif

    package func add(_ bytes: UnsafeRawBufferPointer) {
        #if canImport(CryptoKit)
        switch state {
        case .md5(var hash):
            hash.update(bufferPointer: bytes)
            state = .md5(hash)
        case .sha256(var hash):
            hash.update(bufferPointer: bytes)
            state = .sha256(hash)
        }
        #else
        if !ccrypto_hash_add(state, bytes.baseAddress, bytes.count) { failed = true }
        #endif
    }

    /// Ends the hash. A running hash is consumed by this: what is added afterwards makes every later result an error.
    package func finish() throws(HTTPAuthenticationError) -> [UInt8] {
        #if canImport(CryptoKit)
        switch state {
        case .md5(let hash): return Array(hash.finalize())
        case .sha256(let hash): return Array(hash.finalize())
        }
        #else
        let output = [UInt8](unsafeUninitializedCapacity: Int(CCRYPTO_MAX_HASH_SIZE)) { buffer, count in
            count = failed ? 0 : ccrypto_hash_finish(state, buffer.baseAddress!)
        }
        failed = true
        guard !output.isEmpty else { throw .hashUnavailable(function.name) }
        return output
        #endif
    }
}
