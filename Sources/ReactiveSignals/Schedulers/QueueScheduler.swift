// SPDX-License-Identifier: MIT

import Foundation

/// Runs actions on a serial dispatch queue, in the order in which they were scheduled.
public final class QueueScheduler: DateScheduler {
    /// The scheduler of the main queue.
    public static let main = QueueScheduler(internalQueue: .main)

    /// The queue on which actions run.
    public let queue: DispatchQueue

    init(internalQueue: DispatchQueue) {
        queue = internalQueue
    }

    /// A scheduler with a serial queue of its own.
    /// - Parameters:
    ///   - qos: of that queue.
    ///   - name: the queue's label.
    ///   - targetQueue: what the queue runs on; the system chooses by default.
    public convenience init(
        qos: DispatchQoS = .unspecified, name: String = "org.openmoya.ReactiveSignals.QueueScheduler",
        targeting targetQueue: DispatchQueue? = nil
    ) {
        self.init(internalQueue: DispatchQueue(label: name, qos: qos, target: targetQueue))
    }

    /// The time of day.
    public var currentDate: Date { Date() }

    /// Runs `action` on the queue, unless the result is disposed of before.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let disposable = AnyDisposable()
        queue.async {
            if !disposable.isDisposed { action() }
        }
        return disposable
    }

    /// Runs `action` on the queue at `date`, by the wall clock.
    @discardableResult
    @preconcurrency
    public func schedule(after date: Date, action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let disposable = AnyDisposable()
        queue.asyncAfter(wallDeadline: QueueScheduler.wallTime(of: date)) {
            if !disposable.isDisposed { action() }
        }
        return disposable
    }

    /// Runs `action` on the queue at `date` and then every `interval`, each up to a tenth of that later.
    @discardableResult
    @preconcurrency
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: date, interval: interval, leeway: interval.tenth, action: action)
    }

    /// Runs `action` on the queue at `date` and then every `interval`, each up to `leeway` later, until the result is disposed of.
    @discardableResult
    @preconcurrency
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval, action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        precondition(interval.timeInterval >= 0, "A timer's interval must not be negative")
        precondition(leeway.timeInterval >= 0, "A timer's leeway must not be negative")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let disposable = AnyDisposable.unchecked(timer.cancel)
        timer.schedule(wallDeadline: QueueScheduler.wallTime(of: date), repeating: interval, leeway: leeway)
        // The disposable holds the timer, and the timer's handler the disposable: the timer lives until it is disposed of.
        timer.setEventHandler {
            if !disposable.isDisposed { action() }
        }
        timer.resume()
        return disposable
    }

    private static func wallTime(of date: Date) -> DispatchWallTime {
        let seconds = date.timeIntervalSince1970
        guard seconds < TimeInterval(Int.max / 1_000_000_000) else { return .distantFuture }
        let whole = seconds.rounded(.down)
        return DispatchWallTime(timespec: timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1_000_000_000)))
    }
}
