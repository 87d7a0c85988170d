// SPDX-License-Identifier: MIT

import Foundation

/// A lock between processes: a file that stays, and that one open descriptor at a time has locked (`flock`).
///
/// The system lets go of it when its holder closes the file or dies, however it dies.
struct FileLock: Sendable {
    let path: String

    /// The lock, held while the descriptor is open; `nil` if somebody else has it, in this process or another.
    func tryToAcquire() throws(SecretStoreError) -> FileDescriptor? {
        guard let file = try FileDescriptor.opened(path, O_RDWR | O_CREAT, action: "open the lock") else { return nil }
        _ = try file.checkIsOwn(path)
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return nil
            case let number: throw .system("lock", path, errno: number)
            }
        }
        return file
    }

    /// The lock, for the short time that it takes to replace a file.
    /// - Throws: ``SecretStoreError`` if somebody else has it for longer than `limit`.
    func acquire(within limit: Duration) throws(SecretStoreError) -> FileDescriptor {
        let end = ContinuousClock.now + limit
        var pause: useconds_t = 200
        while true {
            if let held = try tryToAcquire() { return held }
            if ContinuousClock.now > end { throw .lockTimedOut(path, after: limit) }
            usleep(pause)
            pause = min(pause * 2, 10_000)
        }
    }

    /// The lock, for as long as it takes to renew something over the network.
    ///
    /// Asks again and again, at most 25 ms apart: the system can tell who waits, but only by holding a thread back that cannot be
    /// cancelled.
    /// - Throws: ``SecretStoreError`` if somebody else has it for longer than `limit`; `CancellationError`.
    nonisolated(nonsending) func acquire(within limit: Duration, on clock: some Clock<Duration>) async throws -> FileDescriptor {
        let end = clock.now.advanced(by: limit)
        var pause = Duration.milliseconds(1)
        while true {
            if let held = try tryToAcquire() { return held }
            if clock.now > end { throw SecretStoreError.lockTimedOut(path, after: limit) }
            try await clock.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(25))
        }
    }
}
