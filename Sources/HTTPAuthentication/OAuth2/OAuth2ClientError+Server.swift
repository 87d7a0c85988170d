// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

extension OAuth2ClientError {
    /// What a server has refused with.
    /// - Parameter secrets: what the client sent and must not come back in the server's words.
    static func refusal(
        code: String, description: String?, uri: String?, status: Int?, attempting attempt: String, hiding secrets: [String]
    ) -> OAuth2ClientError {
        let shown = allowed(code)
        let known = Kind.advice(for: code)
        return OAuth2ClientError(
            known?.kind ?? .refused, attempting: attempt,
            known.map { "\($0.advice) (\(shown))" }
                ?? "the server refuses with the code “\(hide(secrets, in: shown))”; see its documentation",
            status: status, serverCode: hide(secrets, in: shown),
            serverDescription: description.map { HarmlessText.make(hide(secrets, in: $0), limit: 300) }.flatMap { $0.isEmpty ? nil : $0 },
            serverURI: uri.flatMap { harmlessURI(hide(secrets, in: $0)) })
    }

    /// At most 64 of the characters that an error code may have (RFC 6749, 5.2).
    private static func allowed(_ code: String) -> String {
        let bytes = code.utf8.filter { 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        let text = String(decoding: bytes.prefix(64), as: UTF8.self)
        return text.isEmpty ? "unreadable" : text
    }

    private static func harmlessURI(_ uri: String) -> String? {
        guard uri.hasPrefix("https://") || uri.hasPrefix("http://") else { return nil }
        return HarmlessText.make(RedactedURL.redact(uri), limit: 200)
    }

    /// Replaces secrets as they are, as they look in a form, and in a Basic field's value.
    private static func hide(_ secrets: [String], in text: String) -> String {
        var text = text
        for secret in secrets where !secret.isEmpty {
            for form in Set([secret, FormText.escaped(secret)]) {
                text = text.replacingOccurrences(of: form, with: SecretNames.placeholder)
            }
        }
        return text
    }
}
