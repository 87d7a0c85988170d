// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a person is told about a challenge. The realm comes from the server and is shown harmless.
struct PromptText: Sendable {
    /// The host that asks, in ASCII, with its port unless that is the default; a proxy is called one.
    let host: String
    /// Without control and format characters, at most 64 characters; `nil` if there is none.
    let realm: String?
    let wasRefused: Bool
    let isPlaintext: Bool

    init(_ challenge: URLAuthenticationChallenge) {
        let space = challenge.protectionSpace
        let isSecure: Bool
        if space.isProxy() {
            isSecure = space.proxyType == NSURLProtectionSpaceHTTPSProxy
        } else {
            isSecure = space.`protocol` == "https"
        }
        var host = Self.ascii(space.host)
        if host.contains(":") { host = "[\(host)]" }
        if space.port != (isSecure ? 443 : 80) { host += ":\(space.port)" }
        self.host = space.isProxy() ? "Proxy \(host)" : host
        realm = space.realm.flatMap { $0.isEmpty ? nil : Self.harmless($0) }
        wasRefused = challenge.previousFailureCount > 0
        isPlaintext = !isSecure
    }

    /// Names in other scripts are spelled out, so that none can look like another.
    private static func ascii(_ host: String) -> String {
        if host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return host }
        if let encoded = URL(string: "http://\(host)/")?.host(percentEncoded: true), encoded.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
            return encoded
        }
        return host.unicodeScalars.map { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F ? String($0) : "?" }.joined()
    }

    static func harmless(_ realm: String) -> String { HarmlessText.make(realm, limit: 64) }

    /// The lines above the questions.
    var lines: [String] {
        var lines = ["Authentication required", "  Host:  \(host)"]
        if let realm { lines.append("  Realm: \"\(realm)\"") }
        if isPlaintext { lines.append("  The connection is not encrypted.") }
        if wasRefused { lines.append("  The last entry was refused.") }
        return lines
    }
}
