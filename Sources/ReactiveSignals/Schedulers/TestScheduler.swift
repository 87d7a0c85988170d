// SPDX-License-Identifier: MIT

import Foundation

/// A scheduler whose clock moves only when it is told to: for tests of what takes time.
///
/// Due actions run on the thread that advances the clock, in the order of their dates, and in the order of scheduling for equal ones.
public final class TestScheduler: DateScheduler, @unchecked Sendable {  // its state is touched only under its lock
    private struct Entry {
        let date: Date
        let order: UInt64
        let disposable: AnyDisposable
        let action: @Sendable () -> Void
    }

    private struct State {
        var now: Date
        var entries: [Entry] = []
        var order: UInt64 = 0
    }

    private let state: Guarded<State>

    /// A scheduler whose clock stands at `startDate`.
    public init(startDate: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        state = Guarded(State(now: startDate))
    }

    /// What the clock shows.
    public var currentDate: Date { state.withLock { $0.now } }

    /// Runs `action` at the next advance.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        add(after: nil, action)
    }

    /// Runs `action` when the clock has moved on by `delay`.
    @discardableResult
    @preconcurrency
    public func schedule(after delay: DispatchTimeInterval, action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        add(after: currentDate.addingTimeInterval(delay.timeInterval), action)
    }

    /// Runs `action` when the clock reaches `date`.
    @discardableResult
    @preconcurrency
    public func schedule(after date: Date, action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        add(after: date, action)
    }

    /// Runs `action` when the clock reaches `date` and then every `interval`. The leeway is not used.
    @discardableResult
    @preconcurrency
    public func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0), action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        precondition(interval.timeInterval >= 0, "A timer's interval must not be negative")
        precondition(leeway.timeInterval >= 0, "A timer's leeway must not be negative")
        let next = SerialDisposable()
        scheduleRepeatedly(at: date, every: interval, next, action)
        return next
    }

    /// Moves the clock on by a nanosecond and runs what is due.
    public func advance() {
        advance(by: .nanoseconds(1))
    }

    /// Moves the clock on and runs what is due, each action at its own date.
    public func advance(by interval: DispatchTimeInterval) {
        advance(by: interval.timeInterval)
    }

    /// Moves the clock on by seconds and runs what is due, each action at its own date.
    public func advance(by interval: TimeInterval) {
        precondition(interval >= 0, "A clock is advanced forwards; use rewind(by:)")
        advance(to: currentDate.addingTimeInterval(interval))
    }

    /// Moves the clock to a date and runs what is due, each action at its own date.
    public func advance(to newDate: Date) {
        while let entry = takeDue(newDate) {
            if !entry.disposable.isDisposed { entry.action() }
        }
        state.withLock { $0.now = max($0.now, newDate) }
    }

    /// Runs everything, whenever it is due.
    public func run() {
        advance(to: .distantFuture)
    }

    /// Moves the clock back; runs nothing.
    public func rewind(by interval: DispatchTimeInterval) {
        state.withLock { $0.now = $0.now.addingTimeInterval(-interval.timeInterval) }
    }

    private func takeDue(_ newDate: Date) -> Entry? {
        state.withLock { state in
            guard let first = state.entries.first, first.date <= newDate else { return nil }
            state.now = max(state.now, first.date)
            return state.entries.removeFirst()
        }
    }

    private func add(after date: Date?, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        state.withLock { state in
            let order = state.order
            state.order += 1
            let disposable = AnyDisposable.unchecked({ [weak self] in self?.remove(order) })
            let entry = Entry(date: date ?? state.now, order: order, disposable: disposable, action: action)
            let index = state.entries.firstIndex { entry.date < $0.date } ?? state.entries.endIndex
            state.entries.insert(entry, at: index)
            return disposable
        }
    }

    private func remove(_ order: UInt64) {
        let removed = state.withLock { state in
            state.entries.firstIndex { $0.order == order }.map { state.entries.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}
    }

    private func scheduleRepeatedly(
        at date: Date, every interval: DispatchTimeInterval, _ next: SerialDisposable, _ action: @escaping @Sendable () -> Void
    ) {
        next.inner = schedule(after: date) { [self] in
            action()
            guard !next.isDisposed else { return }
            scheduleRepeatedly(at: date.addingTimeInterval(interval.timeInterval), every: interval, next, action)
        }
    }
}
