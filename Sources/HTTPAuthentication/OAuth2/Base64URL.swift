// SPDX-License-Identifier: MIT

import Foundation

/// Base64 for URLs, without padding (RFC 4648, 5), as PKCE wants it (RFC 7636, appendix A).
enum Base64URL {
    static func string(_ bytes: [UInt8]) -> String {
        String(
            decoding: Data(bytes).base64EncodedData().compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "="): nil
                default: byte
                }
            }, as: UTF8.self)
    }
}
