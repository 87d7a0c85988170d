// SPDX-License-Identifier: MIT

import Foundation

/// Keeps the user's credentials, as a rule in secure storage of the app's own.
///
/// ``BasicAuthenticationObserver`` calls it on a queue of its own, one call at a time, never on the main thread and without holding a lock.
/// In return an implementation must not wait for the main thread, which may be waiting for the store in
/// ``BasicAuthenticationObserver/clear()``. URLs have neither user information, query nor fragment; a proxy's is `http://host:port/`.
public protocol BasicCredentialStoring: AnyObject {
    /// Keeps `credential`, instead of what there was for the URL.
    func store(credential: BasicCredential, for: URL) throws
    /// What is kept for the URL; `nil` if nothing is.
    func credential(for: URL) throws -> BasicCredential?
    /// Drops what is kept for the URL; it is no error if nothing is.
    func delete(for: URL) throws
    /// Drops everything. Default: nothing happens.
    func clear()
}

extension BasicCredentialStoring {
    /// Does nothing.
    public func clear() {}
}
