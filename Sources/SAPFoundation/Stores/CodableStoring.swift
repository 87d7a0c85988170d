// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Keeps values under keys, as an app's secure storage does.
///
/// ``SecretCodableStore`` keeps them in a file, the desktop's keyring or the Keychain.
public protocol CodableStoring: AnyObject {
    /// The value under the key; `nil` if there is none.
    func get<T: Codable>(_ type: T.Type, for: String) throws -> T?
    /// Keeps a value under the key, instead of what was there.
    func put<T: Codable>(_ value: T, for: String) throws
    /// Drops what is under the key; it is no error if nothing is.
    func remove(for: String) throws
}

/// Keeps values in memory, encoded, until the process ends.
public final class InMemoryCodableStore: CodableStoring, Sendable {
    private let values = Locked<[String: Data]>([:])

    /// An empty store.
    public init() {}

    /// The value under the key.
    /// - Throws: if what is there is of another type.
    public func get<T: Codable>(_ type: T.Type, for key: String) throws -> T? {
        // In an array, since JSON's top level has to be one, or an object, for old decoders.
        try values.withLock { $0[key] }.flatMap { try JSONDecoder().decode([T].self, from: $0).first }
    }

    /// Keeps a value under the key.
    public func put<T: Codable>(_ value: T, for key: String) throws {
        let data = try JSONEncoder().encode([value])
        values.withLock { $0[key] = data }
    }

    /// Drops what is under the key.
    public func remove(for key: String) throws { values.withLock { $0[key] = nil } }
}

extension InMemoryCodableStore: CustomReflectable {
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
