// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes down what a log shows of URLs, fields and content, secrets left out.
struct LogRedaction {
    let showsSecrets: Bool

    /// Fields in the form in which Swift prints a dictionary, sorted by name.
    func text(of fields: [String: String]) -> String {
        guard !fields.isEmpty else { return "[:]" }
        let pairs = fields.sorted { $0.key < $1.key }.map { name, value in
            "\(name.debugDescription): \((isSecret(field: name) ? SecretNames.placeholder : value).debugDescription)"
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
                "    \(name.debugDescription) = (\n        \((isSecret(field: name) ? SecretNames.placeholder : value).debugDescription)\n    );\n"
        }
        return text + "} }"
    }

    /// A URL without its user information and without the values of query items that look like secrets.
    func text(ofURL url: String) -> String { showsSecrets ? url : SecretNames.redact(url: url) }

    /// Content as it was formatted, without the values of items and members whose names say that they hold a secret.
    func text(ofContent text: String, _ contentType: String?) -> String {
        showsSecrets ? text : RedactedContent.redact(text, contentType: contentType)
    }

    /// A target as it prints itself. Of one that does not say how it prints, the values that it holds are left out: they may be passwords,
    /// as in `login(user:password:)`. An enum shows the case, anything else its type.
    func text(of target: any TargetType) -> String {
        if showsSecrets || target is any CustomStringConvertible { return "\(target)" }
        if case .target(let embedded)? = target as? MultiTarget { return text(of: embedded) }
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum else { return "\(type(of: target))" }
        return mirror.children.first.map { $0.label ?? "\(type(of: target))" } ?? "\(target)"
    }

    private func isSecret(field name: String) -> Bool { !showsSecrets && SecretNames.holdSecret(field: name) }
}
