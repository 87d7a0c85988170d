// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication

/// A ``CodableStoring`` whose values are renewed by one program at a time.
public protocol ExclusiveCodableStoring: CodableStoring {
    /// Waits until nobody else has exclusive access to the key, then has it until the access ends.
    func exclusiveAccess(to key: String) async throws -> ExclusiveAccess
}

/// Keeps values in a `SecretStore`: a file, the desktop's keyring or the Keychain.
///
/// ```swift
/// let store = SecretCodableStore(FileSecretStore(path: path))
/// let credentials = BasicCredentialStorage(store: store)
/// let tokens = OAuth2TokenStorage(store: store)
/// ```
/// May be called from any thread, and by several storages at once.
public final class SecretCodableStore: ExclusiveCodableStoring, Sendable {
    private let store: any SecretStore

    /// Keeps values in `store`.
    public init(_ store: any SecretStore) { self.store = store }

    /// The value under the key.
    /// - Throws: what the store throws; `SecretStoreError` if what is there is of another type.
    public func get<T: Codable>(_ type: T.Type, for key: String) throws -> T? { try store.value(type, for: key) }

    /// Keeps a value under the key.
    public func put<T: Codable>(_ value: T, for key: String) throws { try store.setValue(value, for: key) }

    /// Drops what is under the key.
    public func remove(for key: String) throws { try store.removeSecret(for: key) }

    /// Waits for the store's exclusive access to the key.
    public func exclusiveAccess(to key: String) async throws -> ExclusiveAccess { try await store.exclusiveAccess(to: key) }
}

extension SecretCodableStore: CustomReflectable {
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
