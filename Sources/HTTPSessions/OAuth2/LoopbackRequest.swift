// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// The head of a request to a ``LoopbackRedirect``, as far as it is looked at.
package struct LoopbackRequest: Sendable {
    /// Longer heads are refused.
    static let headLimit = 16_384

    package let method: String
    /// In origin form (RFC 9112, 3.2.1).
    package let target: String
    package let host: String

    /// Whether the end of a head is among the bytes from `start` on.
    static func hasEnd(_ bytes: [UInt8], from start: Int) -> Bool {
        bytes[start...].indices.contains { bytes[$0...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) }
    }

    /// `nil` if it is not HTTP/1.x.
    package init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, HTTPFields.isToken(String(parts[0])), parts[1].hasPrefix("/"), parts[2].hasPrefix("HTTP/1."),
            parts[1].utf8.allSatisfy({ 0x21..<0x7F ~= $0 })
        else { return nil }
        let hosts = lines.dropFirst().prefix { !$0.isEmpty }.compactMap { line -> String? in
            let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard field.count == 2, HTTPFields.equal(String(field[0]), "Host") else { return nil }
            return field[1].trimmingCharacters(in: .whitespaces)
        }
        // One Host field is a must (RFC 9112, 3.2).
        guard hosts.count == 1 else { return nil }
        method = String(parts[0])
        target = String(parts[1])
        host = hosts[0].lowercased()
    }

    var path: Substring { target.prefix { $0 != "?" } }
}
