// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Dispatch
import Glibc
import Synchronization

/// Keeps a loop out of libcurl while the process exits.
///
/// At `exit` the Kerberos library takes down its locks, and a thread that takes one of them afterwards, if only to forget the state of a
/// connection that is closed, ends the process with a failed assertion (MIT Kerberos 1.20, checked). The loop that it is called on must
/// stand still by then.
enum ProcessExit {
    /// Whoever holds it works; it is not given back after the process has begun to exit.
    private static let turn = DispatchSemaphore(value: 1)
    private static let loopThread = Atomic<UInt>(0)

    /// The calling thread is the loop's. What it does outside of ``working(_:)`` may go on.
    static func waitsForThisThread() {
        loopThread.store(pthread_self(), ordering: .relaxed)
        // Called before the libraries take leave, which were there first.
        atexit {
            // A loop's thread that exits by itself does nothing else; one that is in a library's call for long is not waited for.
            guard pthread_self() != ProcessExit.loopThread.load(ordering: .relaxed) else { return }
            _ = ProcessExit.turn.wait(timeout: .now() + 2)
        }
    }

    /// Does not return if the process exits.
    static func working(_ work: () -> Void) {
        turn.wait()
        work()
        turn.signal()
    }
}
#endif
