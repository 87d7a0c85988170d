// SPDX-License-Identifier: MIT

import Synchronization

/// The same as ``Locked`` for the state of an object that is made for every request: it lies within the object, which saves an allocation.
///
/// It stands on `Synchronization.Mutex`, of which ThreadSanitizer sees on Linux only the case that nobody else holds it; the pair of atomic
/// operations beside it, which cost next to nothing, shows it the order in the other one. The lock is not recursive, and no code outside
/// the package may run inside ``withLock(_:)``: decide under the lock, act after it.
public struct Guarded<Value>: ~Copyable, @unchecked Sendable {  // the value is touched only under the mutex around it
    @usableFromInline
    struct Unchecked<Carried>: @unchecked Sendable {  // what the mutex hands over, it hands to one thread
        @usableFromInline
        var value: Carried

        @inlinable
        init(_ value: consuming Carried) { self.value = value }
    }

    @usableFromInline
    let mutex: Mutex<Unchecked<Value>>
    @usableFromInline
    let order = Atomic<UInt8>(0)

    /// A lock around `value`, which is moved.
    @inlinable
    public init(_ value: consuming Value) {
        mutex = Mutex(Unchecked(value))
    }

    /// Calls `body` with the value, under the lock, on the calling thread; throws what it throws.
    @inlinable
    public borrowing func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { unchecked throws(Failure) in
            _ = order.load(ordering: .acquiring)
            defer { order.store(0, ordering: .releasing) }
            return Unchecked(try body(&unchecked.value))
        }.value
    }
}
