// SPDX-License-Identifier: MIT

/// A variable that threads may share.
public final class Atomic<Value>: @unchecked Sendable {  // the value is touched only under its lock
    private let storage: Guarded<Value>

    /// A variable that holds `value`.
    public init(_ value: Value) {
        storage = Guarded(value)
    }

    /// The value. Reading and writing are each one step; use ``modify(_:)`` for both in one.
    public var value: Value {
        get { storage.withLock { $0 } }
        set {
            let previous = swap(newValue)
            withExtendedLifetime(previous) {}
        }
    }

    /// Changes the value in one step and returns what `action` returns. `action` must not use this variable: its lock is held.
    @discardableResult
    public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
        try storage.withLock { try action(&$0) }
    }

    /// Reads the value while nobody can change it. `action` must not use this variable: its lock is held.
    @discardableResult
    public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
        try storage.withLock { try action($0) }
    }

    /// Replaces the value and returns the previous one.
    @discardableResult
    public func swap(_ newValue: Value) -> Value {
        storage.withLock { value in
            let previous = value
            value = newValue
            return previous
        }
    }
}
