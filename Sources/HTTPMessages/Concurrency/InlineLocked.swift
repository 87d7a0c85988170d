// SPDX-License-Identifier: MIT

import Synchronization

/// What ``Locked`` is, for the state of an object that is made for every request: it lies within the object, which saves an allocation, and
/// with thousands of requests lines of a cache.
///
/// It stands on `Synchronization.Mutex`. On Linux ThreadSanitizer does not see that mutex when it was contended; a pair of atomic operations
/// within it, which cost next to nothing, shows it the order then. The lock is not recursive: the process ends where ``Locked`` would stand
/// still. No code outside the package may run inside ``withLock(_:)``, nor may what the caller gave be let go of there, since its `deinit`
/// may come back: decide under the lock, act and let go after it.
@usableFromInline
@frozen
package struct InlineLocked<Value>: ~Copyable, @unchecked Sendable {  // the value is touched only under the mutex around it
    @usableFromInline
    @frozen
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
    package init(_ value: consuming Value) {
        mutex = Mutex(Unchecked(value))
    }

    /// Calls `body` with the value, under the lock, on the calling thread; throws what it throws.
    @inlinable
    package borrowing func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try mutex.withLock { unchecked throws(Failure) in
            _ = order.load(ordering: .acquiring)
            defer { order.store(0, ordering: .releasing) }
            return Unchecked(try body(&unchecked.value))
        }.value
    }
}
