// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// The DER certificates in PEM text (RFC 7468).
enum PEMCertificates {
    /// None for the system's authorities.
    static func read(_ authorities: TLSConfiguration.Authorities) throws -> [Data] {
        switch authorities {
        case .system: []
        case .pem(let text): decode(text)
        case .pemFile(let file): decode(try Data(contentsOf: file))
        }
    }

    static func decode(_ text: Data) -> [Data] {
        var certificates: [Data] = []
        var encoded: String?
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN CERTIFICATE-----") {
                encoded = ""
            } else if line.hasPrefix("-----END CERTIFICATE-----") {
                if let certificate = encoded.flatMap({ Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }) {
                    certificates.append(certificate)
                }
                encoded = nil
            } else {
                encoded?.append(contentsOf: line)
            }
        }
        return certificates
    }
}
