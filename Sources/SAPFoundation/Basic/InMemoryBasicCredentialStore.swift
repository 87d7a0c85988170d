// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Keeps credentials by origin until the process ends; for tests and command-line tools.
public final class InMemoryBasicCredentialStore: BasicCredentialStoring, @unchecked Sendable {  // the dictionary is behind its lock
    private let credentials = Locked<[String: BasicCredential]>([:])

    /// An empty store.
    public init() {}

    /// Keeps `credential` for the URL's origin.
    public func store(credential: BasicCredential, for url: URL) throws {
        credentials.withLock { $0[OriginKey.key(for: url)] = credential }
    }

    /// What is kept for the URL's origin.
    public func credential(for url: URL) throws -> BasicCredential? {
        credentials.withLock { $0[OriginKey.key(for: url)] }
    }

    /// Drops what is kept for the URL's origin.
    public func delete(for url: URL) throws {
        credentials.withLock { $0[OriginKey.key(for: url)] = nil }
    }

    /// Drops everything.
    public func clear() { credentials.withLock { $0 = [:] } }
}

extension InMemoryBasicCredentialStore: CustomReflectable {
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
