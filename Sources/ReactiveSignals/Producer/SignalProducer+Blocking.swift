// SPDX-License-Identifier: MIT

import Foundation

extension SignalProducer {
    /// Starts the work and blocks the calling thread until the first value or the end.
    ///
    /// Blocks forever if the events need the thread that waits: with a request whose callback queue is the main queue, on the main thread.
    /// - Returns: the first value or the failure; nil if there was neither.
    @available(*, noasync)
    public func first() -> Result<Value, Error>? {
        take(first: 1).blocked { _, event in event }
    }

    /// Starts the work and blocks the calling thread until the second value or the end.
    ///
    /// Blocks forever if the events need the thread that waits: with a request whose callback queue is the main queue, on the main thread.
    /// - Returns: the only value or the failure; nil if there was no value or more than one.
    @available(*, noasync)
    public func single() -> Result<Value, Error>? {
        let count = Guarded(0)
        return take(first: 2).blocked { _, event in
            if case .success = event,
                count.withLock({
                    $0 += 1; return $0
                }) > 1
            {
                return nil
            }
            return event
        }
    }

    /// Starts the work and blocks the calling thread until the end.
    ///
    /// Blocks forever if the events need the thread that waits: with a request whose callback queue is the main queue, on the main thread.
    /// - Returns: the last value or the failure; nil if there was neither.
    @available(*, noasync)
    public func last() -> Result<Value, Error>? {
        blocked { _, event in event }
    }

    /// Starts the work and blocks the calling thread until the end.
    ///
    /// Blocks forever if the events need the thread that waits: with a request whose callback queue is the main queue, on the main thread.
    /// - Returns: the failure, if there was one; otherwise a success.
    @available(*, noasync)
    public func wait() -> Result<(), Error> {
        blocked { (latest: Result<(), Error>?, event) in event.map { _ in () } } ?? .success(())
    }

    /// Starts the work, blocks until the end, and returns what `reduce` made of the last result.
    private func blocked<R>(_ reduce: @escaping (R?, Result<Value, Error>) -> R?) -> R? {
        let semaphore = DispatchSemaphore(value: 0)
        let latest = Guarded<R?>(nil)
        let handle = startUnchecked({ event in
            switch event {
            case .value(let value): latest.withLock { $0 = reduce($0, .success(value)) }
            case .failed(let error):
                latest.withLock { $0 = reduce($0, .failure(error)) }
                semaphore.signal()
            case .completed, .interrupted: semaphore.signal()
            }
        })
        semaphore.wait()
        withExtendedLifetime(handle) {}
        return latest.withLock { $0 }
    }
}
