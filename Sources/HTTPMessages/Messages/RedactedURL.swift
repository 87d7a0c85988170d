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
        var rest = Substring(text)
        var suffix = ""
        if let mark = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            suffix = rest[mark] == "?" ? "?…" : "#…"
            rest = rest[..<mark]
        }
        // Text that is no URL may still hold user information: `user:password@host`.
        let authorityStart = rest.range(of: "://")?.upperBound ?? rest.startIndex
        let authorityEnd = rest[authorityStart...].firstIndex(of: "/") ?? rest.endIndex
        guard let at = rest[authorityStart..<authorityEnd].lastIndex(of: "@") else { return rest + suffix }
        return rest[..<authorityStart] + rest[rest.index(after: at)...] + suffix
    }
}
