// SPDX-License-Identifier: MIT

import Foundation

/// Keeps a user's identities (PKCS#12 archives, or PEM text with certificate and key), in secure storage of the app's own.
///
/// Called on a queue of the observer's own, one call at a time.
public protocol UserIdentityStoring: AnyObject {
    /// Keeps `identity`, instead of what there was for the URL.
    func store(identity: Data, for: URL) throws
    /// What is kept for the URL; `nil` if nothing is.
    func identity(for: URL) throws -> Data?
    /// Drops what is kept for the URL; it is no error if nothing is.
    func delete(for: URL) throws
}

/// Gets a new identity, such as from an enrolment server or a file.
public protocol UserIdentityObtaining {
    /// Calls `completionHandler` once, from any thread, with an identity or an error.
    func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void)
}

/// Keeps identities in a ``CodableStoring``, by origin.
open class UserIdentityStorage: UserIdentityStoring {
    /// What each key begins with.
    public static let keyPrefix = "openmoya.identity."
    /// Where identities are kept.
    open var store: any CodableStoring

    /// A storage over `store`.
    public init(store: any CodableStoring) { self.store = store }

    /// Keeps an identity.
    open func store(identity: Data, for url: URL) throws { try store.put(identity, for: Self.keyPrefix + OriginKey.key(for: url)) }
    /// What is kept for the URL's origin.
    open func identity(for url: URL) throws -> Data? { try store.get(Data.self, for: Self.keyPrefix + OriginKey.key(for: url)) }
    /// Drops what is kept for the URL's origin.
    open func delete(for url: URL) throws { try store.remove(for: Self.keyPrefix + OriginKey.key(for: url)) }
}
