// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

extension OAuth2ClientError {
    /// What a server has refused with.
    /// - Parameter secrets: what the client sent and must not come back in the server's words.
    static func refusal(
        code: String, description: String?, uri: String?, status: Int?, attempting attempt: String, hiding secrets: [String]
    ) -> OAuth2ClientError {
        // Characters are dropped before secrets are looked for, and texts cut after that: neither can then hide a secret, or leave a part
        // of one.
        let bytes = code.utf8.filter { 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        let allowed = hide(secrets, in: String(decoding: bytes, as: UTF8.self))
        let shown = allowed.isEmpty ? "unreadable" : HarmlessText.cut(allowed, limit: 64)
        let known = Kind.advice(for: code)
        return OAuth2ClientError(
            known?.kind ?? .refused, attempting: attempt,
            known.map { "\($0.advice) (\(shown))" } ?? "the server refuses with the code “\(shown)”; see its documentation",
            status: status, serverCode: shown,
            serverDescription: description.map { harmless($0, secrets, limit: 300) }.flatMap { $0.isEmpty ? nil : $0 },
            serverURI: uri.flatMap { uri in
                guard uri.hasPrefix("https://") || uri.hasPrefix("http://") else { return nil }
                return harmless(RedactedURL.redact(uri), secrets, limit: 200)
            })
    }

    private static func harmless(_ text: String, _ secrets: [String], limit: Int) -> String {
        HarmlessText.cut(hide(secrets, in: HarmlessText.stripped(text)), limit: limit)
    }

    /// Replaces secrets as they are and as they look in a form; longer ones first, since one may be part of another.
    private static func hide(_ secrets: [String], in text: String) -> String {
        var text = text
        for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) where !secret.isEmpty {
            for form in Set([secret, FormText.escaped(secret)]) {
                text = text.replacingOccurrences(of: form, with: SecretNames.placeholder)
            }
        }
        return text
    }
}
