// SPDX-License-Identifier: MIT

import Foundation

/// What is read out of a certificate itself (RFC 5280 section 4.1).
enum CertificateDER {
    /// The certificate's SubjectPublicKeyInfo in DER; nil if the bytes are not laid out as a certificate.
    static func subjectPublicKeyInfo(of certificate: Data) -> Data? {
        var file = DERReader(certificate)
        guard let outer = file.read(DERReader.sequence), file.isAtEnd else { return nil }
        var signed = DERReader(outer.content)
        guard let toBeSigned = signed.read(DERReader.sequence) else { return nil }

        var fields = DERReader(toBeSigned.content)
        _ = fields.read(DERReader.context0)  // the version, absent in version 1
        guard
            fields.read(DERReader.integer) != nil,  // serial number
            fields.read(DERReader.sequence) != nil,  // signature algorithm
            fields.read(DERReader.sequence) != nil,  // issuer
            fields.read(DERReader.sequence) != nil,  // validity
            fields.read(DERReader.sequence) != nil,  // subject
            let key = fields.read(DERReader.sequence)
        else { return nil }
        return Data(key.encoding)
    }
}
