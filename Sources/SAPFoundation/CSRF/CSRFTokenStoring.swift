// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Keeps CSRF tokens by the URL that gave them.
public protocol CSRFTokenStoring {
    /// Keeps a token, instead of what there was.
    func store(token: String, for url: URL) throws
    /// The token for the URL; `nil` if there is none.
    func token(for url: URL) throws -> String?
    /// Drops the token; it is no error if there is none.
    func deleteToken(for url: URL) throws
}

/// Keeps CSRF tokens in a ``CodableStoring``, which has to be safe to call from any thread if several sessions share it.
open class CSRFTokenStorage: CSRFTokenStoring {
    /// What each key begins with.
    public static let keyPrefix = "openmoya.csrf."
    /// Where tokens are kept.
    open var store: any CodableStoring

    /// A storage over `store`.
    public init(store: any CodableStoring) { self.store = store }

    /// Keeps a token.
    open func store(token: String, for url: URL) throws { try store.put(token, for: Self.key(for: url)) }
    /// The token for the URL.
    open func token(for url: URL) throws -> String? { try store.get(String.self, for: Self.key(for: url)) }
    /// Drops the token.
    open func deleteToken(for url: URL) throws { try store.remove(for: Self.key(for: url)) }

    private static func key(for url: URL) -> String { keyPrefix + OriginKey.key(for: url) + url.path }
}

/// Says which URL gives the CSRF token for a request.
public protocol CSRFTokenURLProviding {
    /// `nil` for requests that need none.
    func csrfTokenURL(for url: URL) -> URL?
}

/// One URL gives the tokens for everything at its origin and beneath its path.
struct RootTokenURLProvider: CSRFTokenURLProviding {
    let rootURL: URL

    func csrfTokenURL(for url: URL) -> URL? {
        guard let origin = Origin(url: url), origin == Origin(url: rootURL) else { return nil }
        let root = rootURL.path(percentEncoded: true)
        let prefix = root.hasSuffix("/") ? root : root + "/"
        let path = url.path(percentEncoded: true)
        return path.hasPrefix(prefix) || path == root || prefix == "/" ? rootURL : nil
    }
}
