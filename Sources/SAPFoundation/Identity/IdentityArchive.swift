// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Security)
import Security
#else
internal import CCryptoShim
#endif

/// Opens a PKCS#12 archive (RFC 7292) in order to find a client's identity in it.
enum IdentityArchive {
    /// Why there is no identity.
    enum Refusal: Error {
        case notAnArchive, wrongPassphrase, noIdentity, unreadable
    }

    /// What an observer is given, and what opens it.
    ///
    /// On Linux the identity is written into an archive that the empty passphrase opens. Apple's systems offer no way to write one that
    /// is there on all of them: the archive stays as it is.
    static func open(_ archive: Data, passphrase: String) throws(Refusal) -> ClientIdentity {
        // Nobody can type one, and C's strings end there.
        guard !passphrase.utf8.contains(0) else { throw .wrongPassphrase }
        #if canImport(Security)
        try check(archive, passphrase: passphrase)
        return ClientIdentity(data: archive, passphrase: passphrase)
        #else
        return ClientIdentity(data: try convert(archive, passphrase: passphrase), passphrase: "")
        #endif
    }

    #if canImport(Security)
    private static func check(_ archive: Data, passphrase: String) throws(Refusal) {
        var items: CFArray?
        let options = [kSecImportExportPassphrase as String: passphrase]
        switch SecPKCS12Import(archive as CFData, options as CFDictionary, &items) {
        case errSecSuccess:
            let contents = (items as? [[String: Any]]) ?? []
            guard contents.contains(where: { $0[kSecImportItemIdentity as String] != nil }) else { throw .noIdentity }
        case errSecDecode, errSecParam: throw .notAnArchive
        case errSecAuthFailed, errSecPkcs12VerifyFailure: throw .wrongPassphrase
        default: throw .unreadable
        }
    }
    #else
    private static func convert(_ archive: Data, passphrase: String) throws(Refusal) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let result = archive.withUnsafeBytes { buffer in
            ccrypto_archive_without_passphrase(buffer.baseAddress, buffer.count, passphrase, &bytes, &count)
        }
        defer { ccrypto_archive_free(bytes, count) }
        switch result {
        case CCRYPTO_ARCHIVE_OPENED:
            guard let bytes else { throw .unreadable }
            return Data(bytes: bytes, count: count)
        case CCRYPTO_ARCHIVE_MALFORMED: throw .notAnArchive
        case CCRYPTO_ARCHIVE_WRONG_PASSPHRASE: throw .wrongPassphrase
        case CCRYPTO_ARCHIVE_NO_IDENTITY: throw .noIdentity
        default: throw .unreadable
        }
    }
    #endif
}
