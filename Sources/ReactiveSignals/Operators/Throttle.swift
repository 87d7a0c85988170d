// SPDX-License-Identifier: MIT

import Foundation

/// The latest value, which waits for its time to be sent.
private struct Waiting<Value> {
    var value: Value?
    var previous: Date?
    var completesWhenSent = false

    /// Returns the value before, for the caller to let go of without the lock: that may run code of the user's.
    mutating func replace(by value: Value) -> Value? {
        defer { self.value = value }
        return self.value
    }
}

extension Operators {
    static func throttle<V, E>(_ interval: TimeInterval, on scheduler: any DateScheduler) -> Transform<V, E, V, E> {
        { sink, lifetime in
            let stage = SchedulerStage(scheduler, lifetime(), sink)
            let waiting = Guarded(Waiting<V>())
            let scheduled = SerialDisposable()
            return Sink { event in
                guard case .value(let value) = event else {
                    scheduled.inner = nil
                    if case .interrupted = event { stage.interrupt() } else { stage.schedule(event) }
                    return
                }
                let now = scheduler.currentDate
                let (date, _) = waiting.withLock { waiting in
                    let replaced = waiting.replace(by: value)
                    guard let previous = waiting.previous, previous <= now else { return (now, replaced) }
                    return (max(now, previous.addingTimeInterval(interval)), replaced)
                }
                let send = assumeSendable {
                    let latest = waiting.withLock { waiting in
                        let latest = waiting.value
                        waiting.value = nil
                        if latest != nil { waiting.previous = date }
                        return latest
                    }
                    if let latest { stage.deliver(.value(latest)) }
                }
                scheduled.inner = date <= now ? scheduler.schedule(send) : scheduler.schedule(after: date, action: send)
            }
        }
    }

    static func debounce<V, E>(
        _ interval: TimeInterval, on scheduler: any DateScheduler, discardWhenCompleted: Bool
    ) -> Transform<V, E, V, E> {
        { sink, lifetime in
            let stage = SchedulerStage(scheduler, lifetime(), sink)
            let waiting = Guarded(Waiting<V>())
            let scheduled = SerialDisposable()
            return Sink { event in
                switch event {
                case .value(let value):
                    let due = scheduler.currentDate.addingTimeInterval(interval)
                    _ = waiting.withLock { $0.replace(by: value) }
                    scheduled.inner = scheduler.schedule(
                        after: due,
                        action: assumeSendable {
                            let (latest, completes) = waiting.withLock { waiting in
                                let latest = waiting.value
                                waiting.value = nil
                                return (latest, waiting.completesWhenSent)
                            }
                            guard let latest else { return }
                            stage.deliver(.value(latest))
                            if completes { stage.deliver(.completed) }
                        })
                case .completed where !discardWhenCompleted:
                    let isPending = waiting.withLock { waiting in
                        waiting.completesWhenSent = true
                        return waiting.value != nil
                    }
                    if !isPending { stage.schedule(event) }
                case .completed, .failed:
                    scheduled.inner = nil
                    stage.schedule(event)
                case .interrupted:
                    scheduled.inner = nil
                    stage.interrupt()
                }
            }
        }
    }

    static func lazyMap<V, E, U>(on scheduler: any Scheduler, _ transform: @escaping (V) -> U) -> Transform<V, E, U, E> {
        { sink, lifetime in
            let stage = SchedulerStage(scheduler, lifetime(), sink)
            let latest = Guarded<V?>(nil)
            let scheduled = SerialDisposable()
            return Sink { event in
                switch event {
                case .value(let value):
                    // What was there is let go of without the lock.
                    _ = latest.withLock { latest in
                        defer { latest = value }
                        return latest
                    }
                    scheduled.inner = scheduler.schedule(
                        assumeSendable {
                            let value = latest.withLock { latest in
                                let value = latest
                                latest = nil
                                return value
                            }
                            if let value { stage.deliver(.value(transform(value))) }
                        })
                case .failed(let error): stage.schedule(.failed(error))
                case .completed: stage.schedule(.completed)
                case .interrupted: stage.interrupt()
                }
            }
        }
    }

    static func collect<V, E>(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool, discardWhenCompleted: Bool
    ) -> Transform<V, E, [V], E> {
        { sink, lifetime in
            let stage = SchedulerStage(scheduler, lifetime(), sink)
            let collected = Guarded((values: [V](), isCompleted: false))
            let timer = SerialDisposable()
            timer.inner = scheduler.schedule(
                after: interval, interval: interval,
                action: assumeSendable {
                    let (values, isCompleted) = collected.withLock { collected in
                        let taken = collected
                        collected.values = []
                        return taken
                    }
                    if !(skipEmpty && values.isEmpty) { stage.deliver(.value(values)) }
                    if isCompleted {
                        timer.dispose()
                        stage.deliver(.completed)
                    }
                })
            lifetime().disposables.insert(timer)
            return Sink { event in
                switch event {
                case .value(let value): collected.withLock { $0.values.append(value) }
                case .completed where !discardWhenCompleted: collected.withLock { $0.isCompleted = true }
                case .completed:
                    timer.dispose()
                    stage.schedule(.completed)
                case .failed(let error):
                    timer.dispose()
                    stage.schedule(.failed(error))
                case .interrupted:
                    timer.dispose()
                    stage.interrupt()
                }
            }
        }
    }
}

extension Signal {
    /// Sends on `scheduler` at most one value in `interval` seconds: the latest, when its time has come. The end discards a value that
    /// waits. Negative intervals trap.
    public func throttle(_ interval: TimeInterval, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        precondition(interval >= 0, "The interval of a throttle must not be negative")
        return applying(Operators.throttle(interval, on: scheduler))
    }

    /// Sends on `scheduler` the latest value once `interval` seconds have passed without another. Negative intervals trap.
    /// - Parameter discardWhenCompleted: whether a completion discards the value that waits, or follows it at its time.
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
    ) -> Signal<Value, Error> {
        precondition(interval >= 0, "The interval of a debounce must not be negative")
        return applying(Operators.debounce(interval, on: scheduler, discardWhenCompleted: discardWhenCompleted))
    }

    /// Sends on `scheduler` the result of `transform` for the value that is the latest when the scheduler runs.
    @preconcurrency
    public func lazyMap<U>(on scheduler: any Scheduler, transform: @escaping @Sendable (Value) -> U) -> Signal<U, Error> {
        applying(Operators.lazyMap(on: scheduler, transform))
    }

    /// Sends on `scheduler` an array of the values of each `interval`.
    /// - Parameters:
    ///   - skipEmpty: whether nothing is sent for an interval without values.
    ///   - discardWhenCompleted: whether a completion discards the values that wait, or follows them at the end of their interval.
    public func collect(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false, discardWhenCompleted: Bool = true
    ) -> Signal<[Value], Error> {
        applying(
            Operators.collect(every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted))
    }
}

extension SignalProducer {
    /// Sends on `scheduler` at most one value in `interval` seconds: the latest, when its time has come. The end discards a value that
    /// waits. Negative intervals trap.
    public func throttle(_ interval: TimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        precondition(interval >= 0, "The interval of a throttle must not be negative")
        return applying(Operators.throttle(interval, on: scheduler))
    }

    /// Sends on `scheduler` the latest value once `interval` seconds have passed without another. Negative intervals trap.
    /// - Parameter discardWhenCompleted: whether a completion discards the value that waits, or follows it at its time.
    public func debounce(
        _ interval: TimeInterval, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
    ) -> SignalProducer<Value, Error> {
        precondition(interval >= 0, "The interval of a debounce must not be negative")
        return applying(Operators.debounce(interval, on: scheduler, discardWhenCompleted: discardWhenCompleted))
    }

    /// Sends on `scheduler` the result of `transform` for the value that is the latest when the scheduler runs.
    @preconcurrency
    public func lazyMap<U>(on scheduler: any Scheduler, transform: @escaping @Sendable (Value) -> U) -> SignalProducer<U, Error> {
        applying(Operators.lazyMap(on: scheduler, transform))
    }

    /// Sends on `scheduler` an array of the values of each `interval`.
    /// - Parameters:
    ///   - skipEmpty: whether nothing is sent for an interval without values.
    ///   - discardWhenCompleted: whether a completion discards the values that wait, or follows them at the end of their interval.
    public func collect(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler, skipEmpty: Bool = false, discardWhenCompleted: Bool = true
    ) -> SignalProducer<[Value], Error> {
        applying(
            Operators.collect(every: interval, on: scheduler, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted))
    }
}
