// SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A mutex that its owner destroys. Not recursive; no code of a user runs while one is held.
///
/// It stands on `pthread_mutex_t`, since ThreadSanitizer does not see `Synchronization.Mutex` on Linux.
struct Lock: @unchecked Sendable {  // the mutex exists for being shared
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }

    /// Gives the mutex up until `condition` is signalled. Only while the lock is held.
    func wait(for condition: Condition) { pthread_cond_wait(condition.pointer, mutex) }

    func destroy() {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }
}

/// What a thread waits for under a ``Lock``.
final class Condition: @unchecked Sendable {  // the condition variable exists for being shared
    fileprivate let pointer: UnsafeMutablePointer<pthread_cond_t>

    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: pthread_cond_t())
        pthread_cond_init(pointer, nil)
    }

    deinit {
        pthread_cond_destroy(pointer)
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    func signal() { pthread_cond_signal(pointer) }

    func broadcast() { pthread_cond_broadcast(pointer) }
}

/// The thread that runs, for comparing it with another one.
struct ThreadIdentity: Equatable {
    private let thread: pthread_t

    static var current: ThreadIdentity { ThreadIdentity(thread: pthread_self()) }

    static func == (lhs: ThreadIdentity, rhs: ThreadIdentity) -> Bool {
        pthread_equal(lhs.thread, rhs.thread) != 0
    }
}
