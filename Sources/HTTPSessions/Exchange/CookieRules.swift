// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What of RFC 6265 Foundation's storage on Linux leaves out: it looks at a cookie's domain, but not at its path, at `Secure` and
/// `Max-Age`, nor at whether a server may set a cookie for a whole top-level domain.
enum CookieRules {
    /// The stored cookies to send to `url`, those with longer paths first (5.4).
    static func cookies(in storage: HTTPCookieStorage, for url: URL) -> [HTTPCookie] {
        guard let cookies = storage.cookies(for: url), !cookies.isEmpty else { return [] }
        let path = url.path(percentEncoded: true)
        let isSecure = url.scheme?.lowercased() == "https"
        let now = Date()
        return cookies.filter { cookie in
            (isSecure || !cookie.isSecure) && isPath(cookie.path, above: path) && cookie.expiresDate.map { $0 > now } ?? true
        }.sorted { $0.path.utf8.count > $1.path.utf8.count }
    }

    /// Path-match (5.1.4).
    static func isPath(_ cookiePath: String, above path: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        guard path.hasPrefix(cookiePath) else { return false }
        return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
            || path.utf8.dropFirst(cookiePath.utf8.count).first == UInt8(ascii: "/")
    }

    /// The cookies that one `Set-Cookie` value asks to store; one that has expired removes what is there.
    static func cookies(in value: String, from url: URL, now: Date = Date()) -> [HTTPCookie] {
        HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: url).compactMap { cookie in
            guard mayBeSet(cookie, by: url.host(percentEncoded: true)) else { return nil }
            return aged(cookie, now: now)
        }
    }

    /// A domain is that of the host or one above it, but no top-level domain (5.3, 5 and 6).
    private static func mayBeSet(_ cookie: HTTPCookie, by host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        let domain = cookie.domain.lowercased()
        guard domain.hasPrefix(".") else { return domain == host }
        let bare = domain.dropFirst()
        return bare == host || bare.contains(".") && host.hasSuffix(domain) && !isAddress(host)
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || 0x30...0x39 ~= $0 }
    }

    /// `Max-Age` goes before `Expires` (5.3, 3).
    private static func aged(_ cookie: HTTPCookie, now: Date) -> HTTPCookie {
        guard var properties = cookie.properties, let age = (properties[.maximumAge] as? String).flatMap({ Double($0) }) else {
            return cookie
        }
        properties[.maximumAge] = nil
        properties[.discard] = nil
        properties[.expires] = age > 0 ? now.addingTimeInterval(min(age, 34_560_000)) : Date(timeIntervalSince1970: 0)
        return HTTPCookie(properties: properties) ?? cookie
    }
}
