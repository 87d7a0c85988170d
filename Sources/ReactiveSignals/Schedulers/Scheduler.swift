// SPDX-License-Identifier: MIT

import Foundation

/// Runs actions, one at a time, somewhere.
public protocol Scheduler: AnyObject, Sendable {
    /// Runs `action` when its turn comes.
    /// - Returns: what takes the action back; nil if it ran at once.
    @discardableResult
    @preconcurrency
    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)?
}

/// A scheduler that knows the time.
public protocol DateScheduler: Scheduler {
    /// The time by this scheduler's clock.
    var currentDate: Date { get }

    /// Runs `action` at `date` or soon after.
    /// - Returns: what takes the action back.
    @discardableResult
    @preconcurrency
    func schedule(after date: Date, action: @escaping @Sendable () -> Void) -> (any Disposable)?

    /// Runs `action` at `date` and then again and again until the result is disposed of.
    /// - Parameters:
    ///   - interval: the time between two runs; must not be negative.
    ///   - leeway: how much later a run may come; must not be negative.
    @discardableResult
    @preconcurrency
    func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval, action: @escaping @Sendable () -> Void
    ) -> (any Disposable)?
}

extension DateScheduler {
    /// Runs `action` after `delay` and then again and again until the result is disposed of.
    @discardableResult
    @preconcurrency
    public func schedule(
        after delay: DispatchTimeInterval, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0),
        action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(after: currentDate.addingTimeInterval(delay.timeInterval), interval: interval, leeway: leeway, action: action)
    }
}

extension DispatchTimeInterval {
    /// In seconds; infinite for `never`.
    var timeInterval: TimeInterval {
        switch self {
        case .seconds(let count): TimeInterval(count)
        case .milliseconds(let count): TimeInterval(count) / 1_000
        case .microseconds(let count): TimeInterval(count) / 1_000_000
        case .nanoseconds(let count): TimeInterval(count) / 1_000_000_000
        case .never: .infinity
        @unknown default: .infinity
        }
    }

    /// A tenth of it: how late a timer without a leeway of its own may be.
    var tenth: DispatchTimeInterval {
        let nanoseconds = timeInterval / 10 * 1_000_000_000
        return nanoseconds < TimeInterval(Int.max / 2) ? .nanoseconds(Int(nanoseconds)) : .never
    }
}
