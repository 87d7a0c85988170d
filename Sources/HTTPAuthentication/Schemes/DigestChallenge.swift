// SPDX-License-Identifier: MIT

import HTTPMessages

/// A Digest challenge that can be answered (RFC 7616, 3.3).
package struct DigestChallenge: Sendable, Hashable {
    /// What the response protects; `legacy` is RFC 2069, where neither count nor client nonce is sent.
    package enum Protection: Sendable, Hashable {
        case legacy
        case authentication
        case integrity

        var token: String? {
            switch self {
            case .legacy: nil
            case .authentication: "auth"
            case .integrity: "auth-int"
            }
        }
    }

    /// Empty where the server left it out, against RFC 7616.
    package let realm: String
    package let nonce: String
    package let opaque: String?
    package let function: HashFunction
    /// Whether the algorithm's name ends in `-sess`.
    package let isSession: Bool
    /// As the server spelled it; nil where it named none, which means MD5.
    package let algorithm: String?
    /// What of ``Protection`` the server accepts, in our order of preference.
    package let protections: [Protection]
    package let isStale: Bool
    package let hashesUserID: Bool
    package let announcesUTF8: Bool
    /// The URIs of the protection space; empty where it is the whole origin.
    package let domain: [String]

    /// - Throws: ``HTTPAuthenticationError`` if the challenge lacks a nonce, or asks for an algorithm or quality of protection that is
    ///   not known or that the platform's cryptography does not offer.
    package init(_ challenge: Challenge) throws(HTTPAuthenticationError) {
        guard let nonce = challenge["nonce"] else { throw .unsupportedChallenge("a Digest challenge has no nonce") }
        self.nonce = nonce
        realm = challenge["realm"] ?? ""
        opaque = challenge["opaque"]
        // A parsed challenge holds none; one made by hand may.
        for text in [nonce, realm, opaque ?? ""] where text.utf8.contains(where: { ASCII.isControl($0) && $0 != ASCII.tab }) {
            throw .unsupportedChallenge("a Digest challenge holds a control character")
        }

        algorithm = challenge["algorithm"]
        switch algorithm.map(ASCII.lowercased) {
        case nil, "md5": (function, isSession) = (.md5, false)
        case "md5-sess": (function, isSession) = (.md5, true)
        case "sha-256": (function, isSession) = (.sha256, false)
        case "sha-256-sess": (function, isSession) = (.sha256, true)
        case "sha-512-256": (function, isSession) = (.sha512_256, false)
        case "sha-512-256-sess": (function, isSession) = (.sha512_256, true)
        default: throw .unsupportedChallenge("its Digest algorithm is not known")
        }
        guard function.isAvailable else { throw .hashUnavailable(function.name) }

        protections = Self.protections(challenge["qop"])
        if protections.isEmpty { throw .unsupportedChallenge("its Digest quality of protection is not known") }
        if isSession, protections == [.legacy] {
            // Without qop no client nonce is sent, and without it the server cannot compute the session's key.
            throw .unsupportedChallenge("a -sess algorithm needs a quality of protection")
        }

        isStale = Self.isTrue(challenge["stale"])
        hashesUserID = Self.isTrue(challenge["userhash"])
        announcesUTF8 = BasicScheme.announcesUTF8(challenge)
        domain = challenge["domain"].map { $0.split(separator: " ").map(String.init) } ?? []
    }

    /// The protection to use: `auth` before `auth-int`, which servers implement less often and less well; nil if only `auth-int` is
    /// accepted and the content cannot be hashed.
    package func protection(canHashContent: Bool) -> Protection? {
        protections.first { $0 != .integrity || canHashContent }
    }

    /// The path prefixes, at `origin`, of the requests that the answer to this challenge is good for (RFC 7616, 3.3, `domain`).
    ///
    /// URIs of other origins are left out: credentials do not leave the origin that asked for them, even if it names others.
    func pathPrefixes(at origin: Origin) -> [String] {
        var prefixes: [String] = []
        for uri in domain.prefix(32) {
            if uri.utf8.first == ASCII.slash, !uri.hasPrefix("//") {
                prefixes.append(uri)
            } else if let target = RequestTarget(uri: uri), target.origin == origin {
                prefixes.append(target.originForm)
            }
        }
        return prefixes
    }

    private static func protections(_ qop: String?) -> [Protection] {
        let tokens = (qop ?? "").split { $0 == "," || $0 == " " || $0 == "\t" }.map { ASCII.lowercased(String($0)) }
        if tokens.isEmpty { return [.legacy] }
        return [.authentication, .integrity].filter { tokens.contains($0.token ?? "") }
    }

    private static func isTrue(_ value: String?) -> Bool { value.map { ASCII.lowercased($0) == "true" } ?? false }
}
