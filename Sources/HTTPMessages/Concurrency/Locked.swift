// SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A value that only the holder of its lock can reach: the lock of everything but what is made for every request (``InlineLocked``) and of
/// ReactiveSignals, which imports nothing of this package.
///
/// Public and inlinable only so that the package's other modules specialize it: the unspecialized call costs several times the lock. Not
/// meant for users.
///
/// It stands on `pthread_mutex_t`, since ThreadSanitizer does not see `Synchronization.Mutex` on Linux. The lock is not recursive, and
/// no code outside the package may run inside ``withLock(_:)``: decide under the lock, act after it.
public struct Locked<Value>: @unchecked Sendable {  // the value is touched only under the mutex stored beside it
    @usableFromInline
    final class Storage: ManagedBuffer<Value, pthread_mutex_t> {
        deinit {
            // ManagedBuffer itself ends the value's life, its header's; only the elements are left to a subclass.
            withUnsafeMutablePointerToElements { mutex in
                pthread_mutex_destroy(mutex)
                mutex.deinitialize(count: 1)
            }
        }
    }

    @usableFromInline
    let storage: ManagedBuffer<Value, pthread_mutex_t>

    /// A lock around `value`, which is moved: to copy a large one would cost more than the lock.
    @inlinable
    public init(_ value: consuming Value) {
        var moved = Optional(consume value)
        storage = Storage.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { mutex in
                mutex.initialize(to: pthread_mutex_t())
                pthread_mutex_init(mutex, nil)
            }
            return moved.take().unsafelyUnwrapped
        }
    }

    /// Calls `body` with the value, under the lock, on the calling thread; rethrows what it throws.
    @inlinable
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try storage.withUnsafeMutablePointers { value, mutex in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }
}

extension Locked: CustomReflectable {
    /// Without children: what the lock guards must not be read without it, and may be a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
