// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Prints values in every way there is, and looks for the secrets in what comes out.
final class Looker: Sendable {
    static let password = "p4ss-w0rd/that+must-not-show"
    static let token = "t0k3n-that.must_not~show"
    static let user = "alice"

    /// The secrets, and the forms in which they go over the wire or into a file.
    static let forms: [String: String] = {
        var forms: [String: String] = [:]
        for (name, secret) in ["the password": password, "the token": token] {
            forms[name] = secret
            forms["\(name), percent-encoded"] = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            forms["\(name), as in a form"] = secret.addingPercentEncoding(
                withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
            forms["\(name), in JSON"] = secret.replacingOccurrences(of: "/", with: "\\/")
            forms["\(name), in hexadecimal"] = secret.utf8.map { String(format: "%02x", $0) }.joined()
            for (index, prefix) in ["", "\(user):"].enumerated() {
                forms["\(name), in Base64 (\(index))"] = Data("\(prefix)\(secret)".utf8).base64EncodedString()
                    .trimmingCharacters(in: .init(charactersIn: "="))
            }
        }
        return forms
    }()

    struct Finding: Sendable, CustomStringConvertible {
        let subject: String
        let way: String
        let form: String
        let context: String
        var description: String { "\(way) of \(subject) shows \(form): …\(context)…" }
    }

    private let found = Locked<[Finding]>([])
    private let looked = Locked<Set<String>>([])

    var findings: [Finding] { found.withLock { $0 } }
    /// The types that were looked at.
    var types: Set<String> { looked.withLock { $0 } }

    func look(at value: Any, _ what: String) {
        looked.withLock { _ = $0.insert(String(describing: type(of: value))) }
        var dumped = ""
        dump(value, to: &dumped, maxDepth: 15)
        look(in: "\(value)", "print", what)
        look(in: String(reflecting: value), "debug print", what)
        look(in: dumped, "dump", what)
        look(in: Self.mirrored(value), "mirror", what)
        guard let error = value as? any Error else { return }
        look(in: error.localizedDescription, "localized description", what)
        let bridged = error as NSError
        look(in: "\(bridged) \(bridged.userInfo) \(bridged.localizedDescription)", "NSError", what)
        if let localized = error as? any LocalizedError {
            look(
                in: [localized.errorDescription, localized.failureReason, localized.recoverySuggestion, localized.helpAnchor]
                    .compactMap { $0 }.joined(separator: " "), "localized texts", what)
        }
    }

    func look(in text: String, _ way: String, _ what: String) {
        for (form, secret) in Self.forms {
            guard let range = text.range(of: secret) else { continue }
            let start = text.index(range.lowerBound, offsetBy: -60, limitedBy: text.startIndex) ?? text.startIndex
            let finding = Finding(subject: what, way: way, form: form, context: String(text[start..<range.upperBound]))
            found.withLock { $0.append(finding) }
        }
    }

    /// What a debugger's view shows: the children of the mirror, and theirs, each printed.
    private static func mirrored(_ value: Any, depth: Int = 0) -> String {
        guard depth < 6 else { return "" }
        return Mirror(reflecting: value).children.map { child in
            "\(child.label ?? "") \(child.value)\n" + mirrored(child.value, depth: depth + 1)
        }.joined()
    }
}
