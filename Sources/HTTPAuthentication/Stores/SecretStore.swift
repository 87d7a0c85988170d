// SPDX-License-Identifier: MIT

import Foundation

/// Keeps secrets, such as tokens and passwords, under keys.
///
/// Methods may be called from any thread. They may touch the disk or wait for a person who unlocks a keyring, so call them neither on the
/// main thread nor in asynchronous code; ``StoredValue`` calls them on a queue of its own. Keys are not secrets: they are shown in errors
/// and kept in the clear.
public protocol SecretStore: Sendable {
    /// What is kept under the key; `nil` if nothing is.
    func secret(for key: String) throws -> Data?
    /// Keeps a secret under the key, instead of what was there.
    func setSecret(_ secret: Data, for key: String) throws
    /// Drops what is kept under the key; it is no error if nothing is.
    func removeSecret(for key: String) throws
    /// Drops everything that this store keeps.
    func removeAllSecrets() throws
    /// Waits until nobody else has exclusive access to the key, then has it until ``ExclusiveAccess/end()``.
    ///
    /// Reading and writing do not need it and are not held up by it. Who renews a value has it from reading the old one until the new one
    /// is written, so that nobody else renews meanwhile. Each store says how far it reaches. It must not be asked for while the caller has
    /// it.
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func exclusiveAccess(to key: String) async throws -> ExclusiveAccess
}

extension SecretStore {
    /// The value kept under the key; `nil` if nothing is.
    /// - Throws: what the store throws; ``SecretStoreError/unreadable(key:)`` if something else is kept there.
    public func value<Value: Decodable>(_ type: Value.Type = Value.self, for key: String) throws -> Value? {
        guard let secret = try secret(for: key) else { return nil }
        // The decoder's own error would quote the secret.
        guard let values = try? JSONDecoder().decode([Value].self, from: secret), let value = values.first else {
            throw SecretStoreError.unreadable(key: key)
        }
        return value
    }

    /// Keeps a value, as JSON, under the key, instead of what was there.
    /// - Throws: what the store throws; ``SecretStoreError/unencodable(key:)`` if JSON cannot hold the value.
    public func setValue(_ value: some Encodable, for key: String) throws {
        // In an array, since a lone string or number is not a document for every decoder.
        guard let secret = try? JSONEncoder().encode([value]) else { throw SecretStoreError.unencodable(key: key) }
        try setSecret(secret, for: key)
    }

    /// Runs `body` with exclusive access to the key; see ``exclusiveAccess(to:)``.
    public nonisolated(nonsending) func withExclusiveAccess<Value>(
        to key: String, _ body: () async throws -> Value
    ) async throws -> Value {
        let access = try await exclusiveAccess(to: key)
        defer { access.end() }
        return try await body()
    }
}
