// SPDX-License-Identifier: MIT

import Dispatch
import HTTPMessages

/// A value in a ``SecretStore`` that is renewed by one at a time, such as a token with a refresh token that can be used once.
///
/// Who renews has exclusive access to the key from reading the old value until the new one is written, so that of several tasks, or
/// programs over one ``FileSecretStore``, one renews and the others get what it got. The store is called on a queue of its own.
public final class StoredValue<Value: Codable & Equatable & Sendable>: Sendable {
    /// What could not be written, and what it was to replace.
    private struct Unsaved: Sendable {
        let replaced: Value?
        let value: Value
    }

    private let store: any SecretStore
    private let key: String
    private let initial: Value?
    private let onSaveFailure: @Sendable (any Error) -> Void
    private let unsaved = Locked<Unsaved?>(nil)

    /// The value kept under `key`.
    /// - Parameters:
    ///   - initial: what counts as kept while nothing is, for values that are had without anybody signing in. By default nothing does.
    ///   - onSaveFailure: told, on any thread, that a renewed value could not be written. It is returned and kept in memory all the same,
    ///     and written with the next renewal: what it replaced may be worth nothing by then.
    public init(
        _ type: Value.Type = Value.self, in store: any SecretStore, under key: String, initially initial: Value? = nil,
        onSaveFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.store = store
        self.key = key
        self.initial = initial
        self.onSaveFailure = onSaveFailure
    }

    /// What is kept at the moment; `nil` if nothing is.
    /// - Throws: what the store throws.
    public nonisolated(nonsending) func current() async throws -> Value? { try await onQueue { try self.read() } }

    /// What is kept at the moment, read on the calling thread.
    package func currentNow() throws -> Value? { try read() }

    /// Keeps a value, such as what a person has just signed in to get, after waiting for a renewal that is under way.
    /// - Throws: what the store throws; `CancellationError`.
    public nonisolated(nonsending) func save(_ value: Value) async throws {
        try await store.withExclusiveAccess(to: key) {
            try await onQueue {
                try self.store.setValue(value, for: self.key)
                self.unsaved.withLock { $0 = nil }
            }
        }
    }

    /// Drops the value, as at sign-out, after waiting for a renewal that is under way.
    /// - Throws: what the store throws; `CancellationError`.
    public nonisolated(nonsending) func remove() async throws {
        try await store.withExclusiveAccess(to: key) {
            try await onQueue {
                try self.store.removeSecret(for: self.key)
                self.unsaved.withLock { $0 = nil }
            }
        }
    }

    /// Renews the value, unless somebody else has done so since the caller got `held`.
    ///
    /// Cancelling ends the waiting for others, but not a renewal that has begun: what it brings is written, since what it replaces may be
    /// worth nothing.
    /// - Parameters:
    ///   - held: what did not do, or has expired.
    ///   - isUsable: whether what somebody else has renewed meanwhile will do; otherwise it is renewed in turn. By default it will.
    ///   - renewal: gets the next value for the one that is kept. It must not ask for the same value itself.
    /// - Returns: what is kept afterwards.
    /// - Throws: what `renewal` or the store throws; ``SecretStoreError/nothingStored(key:)``; `CancellationError`.
    public nonisolated(nonsending) func renew(
        _ held: Value, isUsable: @escaping @Sendable (Value) -> Bool = { _ in true },
        by renewal: @escaping @Sendable (Value) async throws -> Value
    ) async throws -> Value {
        let access = try await store.exclusiveAccess(to: key)
        // A task of its own, which the caller's cancellation does not reach.
        return try await Task {
            defer { access.end() }
            guard let stored = try await onQueue({ try self.read() }) else { throw SecretStoreError.nothingStored(key: key) }
            if stored != held, isUsable(stored) { return stored }
            let fresh = try await renewal(stored)
            await onQueue { self.keep(fresh, insteadOf: stored) }
            return fresh
        }.value
    }

    // MARK: On the queue

    private func read() throws -> Value? {
        let stored = try store.value(Value.self, for: key) ?? initial
        // What could not be written counts as long as nobody has written anything else.
        return unsaved.withLock { unsaved in
            guard let waiting = unsaved else { return stored }
            if waiting.replaced == stored { return waiting.value }
            unsaved = nil
            return stored
        }
    }

    private func keep(_ fresh: Value, insteadOf stored: Value) {
        do {
            try store.setValue(fresh, for: key)
            unsaved.withLock { $0 = nil }
        } catch {
            unsaved.withLock { $0 = Unsaved(replaced: $0?.replaced ?? stored, value: fresh) }
            onSaveFailure(error)
        }
    }

    private nonisolated(nonsending) func onQueue<Result: Sendable>(
        _ action: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let result = await awaitingCallback(onCancel: {}) { (callback: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void) in
            DispatchQueue.global().async { callback(Swift.Result { try action() }) }
        }
        return try result.get()
    }

    private nonisolated(nonsending) func onQueue<Result: Sendable>(_ action: @escaping @Sendable () -> Result) async -> Result {
        await awaitingCallback(onCancel: {}) { (callback: @escaping @Sendable (Result) -> Void) in
            DispatchQueue.global().async { callback(action()) }
        }
    }
}

extension StoredValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key and the store.
    public var description: String { "StoredValue(\(key.debugDescription) in \(type(of: store)))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}
