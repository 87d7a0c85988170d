// SPDX-License-Identifier: MIT

import Foundation

/// NTLM's three messages (MS-NLMP, 2.2.1) in fields, as far as a server needs them that believes everybody: libcurl makes the client's.
package enum NTLMMessage {
    /// A server's message 2, without a target name.
    package static let challenge = field(
        [2, 0, 0, 0] + [0, 0, 0, 0, 56, 0, 0, 0] + [0x01, 0x82, 0, 0] + [1, 2, 3, 4, 5, 6, 7, 8] + Array(repeating: 0, count: 24))

    /// A field with what follows NTLM's signature.
    package static func field(_ bytes: [UInt8]) -> String {
        "NTLM " + (Data("NTLMSSP\0".utf8) + bytes).base64EncodedString()
    }

    /// Which message a field holds: 1 opens, 3 proves.
    package static func number(in field: String?) -> UInt8? {
        bytes(in: field)?[8]
    }

    /// Who it is, by message 3: its user name is at the offset that its security buffer tells (MS-NLMP, 2.2.1.3).
    package static func user(in field: String?) -> String? {
        guard let bytes = bytes(in: field), bytes[8] == 3, bytes.count >= 44 else { return nil }
        let length = Int(bytes[36]) | Int(bytes[37]) << 8
        let offset = Int(bytes[40]) | Int(bytes[41]) << 8
        guard offset + length <= bytes.count else { return nil }
        return String(decoding: bytes[offset..<offset + length].filter { $0 != 0 }, as: UTF8.self)
    }

    private static func bytes(in field: String?) -> [UInt8]? {
        guard let field, field.hasPrefix("NTLM "), let message = Data(base64Encoded: String(field.dropFirst(5))), message.count > 8 else {
            return nil
        }
        return Array(message)
    }
}
