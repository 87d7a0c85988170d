// SPDX-License-Identifier: MIT

import Foundation

extension URL {
    /// The URL as text that is fit for errors and logs: without user information, query and fragment.
    ///
    /// A query that was there is shown as `?…`, so that a reader knows that something is left out.
    public var redactedDescription: String {
        RedactedURL.redact(absoluteString)
    }
}

/// Takes out of a URL's text what may be a secret.
package enum RedactedURL {
    package static func redact(_ text: String) -> String {
        guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return withoutUserInformation(text) }
        return withoutUserInformation(String(text[..<mark])) + (text[mark] == "?" ? "?…" : "#…")
    }

    /// The text without user information; query and fragment stay.
    static func withoutUserInformation(_ text: String) -> String {
        // Text that is no URL may still hold user information: `user:password@host`.
        let authorityStart = text.range(of: "://")?.upperBound ?? text.startIndex
        var authorityEnd = text[authorityStart...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
        // A slash in a password makes the text no URL, and no less of a secret: behind the colon stands no port then.
        let parts = text[authorityStart..<authorityEnd].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[0].hasPrefix("["), !parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), !parts[1].contains("@") {
            authorityEnd = text[authorityStart...].firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        }
        guard let at = text[authorityStart..<authorityEnd].lastIndex(of: "@") else { return text }
        return String(text[..<authorityStart] + text[text.index(after: at)...])
    }
}
