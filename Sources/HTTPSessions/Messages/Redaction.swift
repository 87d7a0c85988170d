// SPDX-License-Identifier: MIT

import Foundation

/// What stands in descriptions, logs and errors in place of a secret.
package enum Redaction {
    /// The text that replaces a secret value.
    package static let placeholder = "<redacted>"

    /// Fields whose values are credentials or stand for them.
    private static let secretFields = ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"]

    /// Whether the value of the field `name` must not be printed.
    package static func isSecret(field name: String) -> Bool {
        secretFields.contains { $0.isSameFieldName(as: name) }
    }

    /// The URL without user info, query and fragment, each of which may carry a secret.
    package static func text(of url: URL) -> String {
        url.isFileURL ? url.path : text(ofURL: url.absoluteString)
    }

    /// ``text(of:)`` for text that may not parse as a URL; what is cut off is replaced by ``placeholder``.
    package static func text(ofURL url: String) -> String {
        var head = Substring(url)
        var wasCut = false
        if let end = url.utf8.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            head = url[..<end]
            wasCut = url.index(after: end) < url.endIndex
        }
        // The user info ends at the last "@" before the path (RFC 3986 section 3.2.1). Text without "//" may still be `user:password@host`.
        let authorityStart = head.range(of: "//")?.upperBound ?? head.startIndex
        let authorityEnd = head[authorityStart...].firstIndex(of: "/") ?? head.endIndex
        var result = String(head)
        if let at = head[authorityStart..<authorityEnd].lastIndex(of: "@") {
            result = head[..<authorityStart] + placeholder + head[at...]
        }
        return wasCut ? "\(result)?\(placeholder)" : result
    }
}
