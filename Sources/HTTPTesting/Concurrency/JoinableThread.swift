// SPDX-License-Identifier: MIT

import Foundation

/// A thread that somebody joins, so that nothing of it is left after ``join()``.
final class JoinableThread: Sendable {
    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private struct Handle: @unchecked Sendable {  // a number or an opaque pointer that only pthread functions look into
        let value: pthread_t
    }

    private let handle: Handle

    /// Starts a thread that runs `body`; nil if the system has no more threads to give.
    init?(_ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, nil, { argument in JoinableThread.run(argument) }, start.toOpaque())
        #else
        var thread: pthread_t? = pthread_t()
        let status = withUnsafeMutablePointer(to: &thread!) { thread in
            pthread_create(thread, nil, { argument in argument.flatMap { JoinableThread.run($0) } }, start.toOpaque())
        }
        #endif
        guard status == 0, let thread else {
            start.release()
            return nil
        }
        handle = Handle(value: thread)
    }

    private static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }

    /// Waits until the thread has ended. A thread that would wait for itself is let go instead; call this once.
    func join() {
        if pthread_equal(handle.value, pthread_self()) != 0 {
            pthread_detach(handle.value)
        } else {
            pthread_join(handle.value, nil)
        }
    }
}
