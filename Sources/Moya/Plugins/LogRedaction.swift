// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes down what a log shows of URLs and fields, secrets left out.
struct LogRedaction {
    let showsSecrets: Bool

    private static let placeholder = "<redacted>"
    /// Parts of names that tokens and passwords go by, in fields and in queries.
    private static let secretWords = ["token", "secret", "password", "passwd", "apikey", "api-key", "api_key", "signature", "assertion"]
    /// Query items that are secrets although their names do not say so.
    private static let secretItems: Set<String> = ["key", "sig", "code", "pwd", "auth", "jwt", "session", "sessionid"]

    /// Fields in the form in which Swift prints a dictionary, sorted by name.
    func text(of fields: [String: String]) -> String {
        guard !fields.isEmpty else { return "[:]" }
        let pairs = fields.sorted { $0.key < $1.key }.map { name, value in
            "\(name.debugDescription): \((isSecret(field: name) ? Self.placeholder : value).debugDescription)"
        }
        return "[" + pairs.joined(separator: ", ") + "]"
    }

    /// A response's head in the form in which Apple's platforms print it.
    func text(of head: HTTPURLResponse) -> String {
        var text =
            "{ URL: \(head.url.map { self.text(ofURL: $0.absoluteString) } ?? "(null)") } { Status Code: \(head.statusCode), Headers {\n"
        let fields = head.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
        for (name, value) in fields.sorted(by: { $0.name < $1.name }) {
            text +=
                "    \(name.debugDescription) = (\n        \((isSecret(field: name) ? Self.placeholder : value).debugDescription)\n    );\n"
        }
        return text + "} }"
    }

    /// A URL without its user information and without the values of query items that look like secrets.
    func text(ofURL url: String) -> String {
        guard !showsSecrets else { return url }
        var head = Substring(url)
        var query: Substring?
        var fragment = ""
        if let mark = head.firstIndex(of: "#") {
            // A fragment is never sent, but access tokens come in them (RFC 6749, 4.2.2).
            fragment = "#" + Self.placeholder
            head = head[..<mark]
        }
        if let mark = head.firstIndex(of: "?") {
            query = head[head.index(after: mark)...]
            head = head[..<mark]
        }
        let items = query?.split(separator: "&", omittingEmptySubsequences: false).map(text(ofItem:)).joined(separator: "&")
        return RedactedURL.redact(String(head)) + (items.map { "?" + $0 } ?? "") + fragment
    }

    private func text(ofItem item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = item[..<equals].lowercased()
        let isSecret = Self.secretItems.contains(name) || Self.secretWords.contains { name.contains($0) }
        return isSecret ? item[...equals] + Self.placeholder : String(item)
    }

    private func isSecret(field name: String) -> Bool {
        guard !showsSecrets else { return false }
        let lowercased = name.lowercased()
        return HTTPFields.isSecret(name) || Self.secretWords.contains { lowercased.contains($0) }
    }
}
