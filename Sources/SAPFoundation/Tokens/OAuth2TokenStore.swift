// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication

/// Keeps tokens by the URL of what they are for.
public protocol OAuth2TokenStore {
    /// Keeps `token`, instead of what there was for the URL.
    func store(token: OAuth2Token, for url: URL) throws
    /// What is kept for the URL; `nil` if nothing is.
    func token(for url: URL) throws -> OAuth2Token?
    /// Drops what is kept for the URL; it is no error if nothing is.
    func deleteToken(for url: URL) throws
    /// Drops everything. Default: nothing happens.
    func clear()
}

extension OAuth2TokenStore {
    /// Does nothing.
    public func clear() {}
}

/// A token store whose tokens are renewed by one program, or one session, at a time.
public protocol ExclusiveOAuth2TokenStore: OAuth2TokenStore {
    /// Waits until nobody else renews the token for the URL; `nil` if what keeps the tokens cannot tell.
    func exclusiveAccess(toTokenFor url: URL) async throws -> ExclusiveAccess?
}

/// Keeps tokens in a ``CodableStoring``, by origin. Not safe to be called from two threads at once, which ``OAuth2Observer`` does not do.
///
/// Over an ``ExclusiveCodableStoring`` such as ``SecretCodableStore``, ``OAuth2Observer`` renews a token while nobody else does, and takes
/// what somebody else has renewed.
open class OAuth2TokenStorage: ExclusiveOAuth2TokenStore {
    /// What each key begins with.
    public static let keyPrefix = "openmoya.oauth2."
    /// Where tokens are kept.
    open var store: any CodableStoring
    /// Makes the key for a URL.
    open var keyHandler: (URL) -> String
    private var knownKeys: Set<String> = []

    /// `keyHandler`: by default ``key(for:)``.
    public init(store: any CodableStoring, keyHandler: @escaping (URL) -> String = OAuth2TokenStorage.key) {
        self.store = store
        self.keyHandler = keyHandler
    }

    /// Keeps `token` under the URL's key.
    open func store(token: OAuth2Token, for url: URL) throws { try store.put(token, for: knownKey(for: url)) }
    /// What is kept under the URL's key.
    open func token(for url: URL) throws -> OAuth2Token? { try store.get(OAuth2Token.self, for: knownKey(for: url)) }
    /// Drops what is kept under the URL's key.
    open func deleteToken(for url: URL) throws { try store.remove(for: keyHandler(url)) }

    /// What ``store`` says of the URL's key; `nil` if it is no ``ExclusiveCodableStoring``.
    open func exclusiveAccess(toTokenFor url: URL) async throws -> ExclusiveAccess? {
        try await (store as? any ExclusiveCodableStoring)?.exclusiveAccess(to: keyHandler(url))
    }

    /// Drops what is kept under the keys that this instance wrote or read; what fails is reported.
    open func clear() {
        for key in knownKeys {
            SAPDiagnostics.attempt(orReport: "a token could not be removed") { try store.remove(for: key) }
        }
        knownKeys = []
    }

    private func knownKey(for url: URL) -> String {
        let key = keyHandler(url)
        knownKeys.insert(key)
        return key
    }

    /// The prefix, then `scheme://host:port`, without a path.
    public class func key(for url: URL) -> String { keyPrefix + OriginKey.key(for: url) }
}
