// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Keeps secrets in memory until the process ends or the store goes. Exclusive access reaches over all who share the instance.
public final class MemorySecretStore: SecretStore {
    private let secrets = Locked<[String: Data]>([:])
    private let turns = KeyedTurns()

    /// An empty store.
    public init() {}

    /// What is kept under the key.
    public func secret(for key: String) -> Data? { secrets.withLock { $0[key] } }

    /// Keeps a secret under the key.
    public func setSecret(_ secret: Data, for key: String) { secrets.withLock { $0[key] = secret } }

    /// Drops what is kept under the key.
    public func removeSecret(for key: String) { secrets.withLock { $0[key] = nil } }

    /// Drops everything.
    public func removeAllSecrets() { secrets.withLock { $0 = [:] } }

    /// Waits for the key's turn, in the order of arrival.
    public func exclusiveAccess(to key: String) async throws -> ExclusiveAccess { try await turns.turn(for: key) }
}

extension MemorySecretStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A fixed text.
    public var description: String { "MemorySecretStore" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
