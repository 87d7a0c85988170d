// SPDX-License-Identifier: MIT

import Foundation

/// A file of certificates: one in DER, or any number in PEM (RFC 7468).
enum CertificateFile {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// The file's certificates in DER. Bytes without PEM's lines are taken as DER; a PEM block that is not Base64 is left out.
    static func certificates(in file: Data) -> [Data] {
        guard file.range(of: Data(begin.utf8)) != nil else { return file.isEmpty ? [] : [file] }
        return String(decoding: file, as: UTF8.self).components(separatedBy: begin).dropFirst().compactMap { block in
            guard let end = block.range(of: end) else { return nil }
            return Data(base64Encoded: String(block[..<end.lowerBound]), options: .ignoreUnknownCharacters)
        }
    }
}

extension Bundle: AlamofireExtended {}

extension AlamofireExtension where ExtendedType: Bundle {
    /// The contents of the bundle's `.cer`, `.crt` and `.der` files, as certificates in DER, in the order of the files' names.
    var certificateData: [Data] {
        ["cer", "CER", "crt", "CRT", "der", "DER"]
            .flatMap { type.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? [] }
            .map { $0 as URL }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { try? Data(contentsOf: $0) }
            .flatMap(CertificateFile.certificates(in:))
    }
}

#if !canImport(Security)
extension AlamofireExtension where ExtendedType: Bundle {
    /// The certificates (DER) in the bundle's `.cer`, `.crt` and `.der` files, whether these are DER or PEM. Reads the files each time.
    public var certificates: [Data] { certificateData }

    /// The public keys (SubjectPublicKeyInfo, DER) of ``certificates``.
    public var publicKeys: [Data] { certificateData.compactMap(CertificateDER.subjectPublicKeyInfo(of:)) }
}
#endif
