// SPDX-License-Identifier: MIT

/// Tells by their names which fields, query items and members of content hold secrets.
package enum SecretNames {
    /// What stands in the place of a secret.
    package static let placeholder = "<redacted>"

    /// Parts of names that tokens and passwords go by, in fields and in queries.
    private static let words = [
        "token", "secret", "password", "passwd", "apikey", "api-key", "api_key", "signature", "assertion",
        "passphrase", "verifier",
    ]
    /// Query items that are secrets although their names do not say so.
    private static let items: Set<String> = ["key", "sig", "code", "pwd", "auth", "jwt", "session", "sessionid"]

    /// Whether a field of that name probably holds a secret.
    package static func holdSecret(field name: String) -> Bool {
        let lowercased = name.lowercased()
        return HTTPFields.isSecret(name) || words.contains { lowercased.contains($0) }
    }

    /// Whether a member of JSON of that name probably holds a secret; `token_type` and such do not.
    package static func holdSecret(member name: String) -> Bool {
        let lowercased = name.lowercased()
        if lowercased.hasSuffix("type") || lowercased.hasSuffix("uri") || lowercased.hasSuffix("url") { return false }
        return lowercased == "pwd" || lowercased == "jwt" || words.contains { lowercased.contains($0) }
    }

    /// Items of a query or a form without the values of those that look like secrets.
    package static func redact(items: String) -> String {
        items.split(separator: "&", omittingEmptySubsequences: false).map(redact(item:)).joined(separator: "&")
    }

    /// A URL without its user information, its fragment and the values of query items that look like secrets.
    package static func redact(url: String) -> String {
        var head = Substring(url)
        var query: Substring?
        var fragment = ""
        if let mark = head.firstIndex(of: "#") {
            // A fragment is never sent, but access tokens come in them (RFC 6749, 4.2.2).
            fragment = "#" + placeholder
            head = head[..<mark]
        }
        if let mark = head.firstIndex(of: "?") {
            query = head[head.index(after: mark)...]
            head = head[..<mark]
        }
        let items = query.map { redact(items: String($0)) }
        return RedactedURL.redact(String(head)) + (items.map { "?" + $0 } ?? "") + fragment
    }

    private static func redact(item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = item[..<equals].lowercased()
        let isSecret = items.contains(name) || words.contains { name.contains($0) }
        return isSecret ? item[...equals] + placeholder : String(item)
    }
}
