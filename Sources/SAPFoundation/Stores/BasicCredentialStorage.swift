// SPDX-License-Identifier: MIT

import Foundation

/// Keeps credentials in a ``CodableStoring``, by origin. Not safe to be called from two threads at once, which observers do not do.
open class BasicCredentialStorage: BasicCredentialStoring {
    /// What each key begins with.
    public static let keyPrefix = "openmoya.basic."
    /// Where credentials are kept.
    open var store: any CodableStoring
    /// Makes the key for a URL.
    open var keyHandler: (URL) -> String
    /// Keys that were written or read, for ``clear()``.
    private var knownKeys: Set<String> = []

    /// `keyHandler`: by default ``key(for:)``; one that looks at the path keeps realms of one server apart.
    public init(store: any CodableStoring, keyHandler: @escaping (URL) -> String = BasicCredentialStorage.key) {
        self.store = store
        self.keyHandler = keyHandler
    }

    /// Keeps `credential` under the URL's key.
    open func store(credential: BasicCredential, for url: URL) throws {
        try store.put(credential, for: knownKey(for: url))
    }

    /// What is kept under the URL's key.
    public func credential(for url: URL) throws -> BasicCredential? {
        try store.get(BasicCredential.self, for: knownKey(for: url))
    }

    /// Drops what is kept under the URL's key.
    open func delete(for url: URL) throws { try store.remove(for: keyHandler(url)) }

    /// Drops what is kept under the keys that this instance wrote or read; what fails is reported.
    open func clear() {
        for key in knownKeys {
            SAPDiagnostics.attempt(orReport: "a credential could not be removed") { try store.remove(for: key) }
        }
        knownKeys = []
    }

    private func knownKey(for url: URL) -> String {
        let key = keyHandler(url)
        knownKeys.insert(key)
        return key
    }

    /// The prefix, then `scheme://host:port`: the host in lower case, the default port spelled out, no path. http and https differ.
    public class func key(for url: URL) -> String { keyPrefix + OriginKey.key(for: url) }
}
