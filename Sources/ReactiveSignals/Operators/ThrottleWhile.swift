// SPDX-License-Identifier: MIT

extension Signal {
    /// Sends values on `scheduler`; while `shouldThrottle` is true it keeps only the latest, which follows when that turns false. Does
    /// not retain the property; when it is released, its last value counts. The completion waits for a value that can still follow.
    public func throttle<P: PropertyProtocol<Bool>>(while shouldThrottle: P, on scheduler: any Scheduler) -> Signal<Value, Error> {
        throttle(while: shouldThrottle.producer, on: scheduler)
    }

    func throttle(while shouldThrottle: SignalProducer<Bool, Never>, on scheduler: any Scheduler) -> Signal<Value, Error> {
        Signal(.inTurn) { observer, lifetime in
            let state = Guarded(ThrottledValue<Value>())
            let scheduled = SerialDisposable()
            lifetime.disposables.insert(scheduled)
            let sendKept = assumeSendable {
                let (value, completes) = state.withLock { $0.takeIfOpen() }
                if let value { observer.send(value: value) }
                if completes { observer.sendCompleted() }
            }
            let opened = { (isThrottled: Bool) in
                state.withLock { $0.isThrottled = isThrottled }
                if !isThrottled { scheduled.inner = scheduler.schedule(sendKept) }
            }
            let (handle, run) = shouldThrottle.core.connect(
                .unchecked { event in
                    switch event {
                    case .value(let isThrottled): opened(isThrottled)
                    case .completed, .failed, .interrupted:
                        state.withLock { $0.isSettled = true }
                        scheduled.inner = scheduler.schedule(sendKept)
                    }
                })
            lifetime.disposables.insert(handle)
            if !handle.isDisposed { run() }
            lifetime += observeUnchecked({ event in
                switch event {
                case .value(let value):
                    if !state.withLock({ $0.keep(value) }).waits { scheduled.inner = scheduler.schedule(sendKept) }
                case .completed:
                    state.withLock { $0.hasCompleted = true }
                    scheduled.inner = scheduler.schedule(sendKept)
                case .failed, .interrupted:
                    scheduled.inner = nil
                    scheduler.schedule(assumeSendable { observer.send(event) })
                }
            })
        }
    }
}

extension SignalProducer {
    /// Sends values on `scheduler`; while `shouldThrottle` is true it keeps only the latest, which follows when that turns false. Does
    /// not retain the property; when it is released, its last value counts. The completion waits for a value that can still follow.
    public func throttle<P: PropertyProtocol<Bool>>(
        while shouldThrottle: P, on scheduler: any Scheduler
    ) -> SignalProducer<Value, Error> {
        let values = shouldThrottle.producer
        return liftUnchecked({ $0.throttle(while: values, on: scheduler) })
    }
}

/// The latest value while it must not be sent.
private struct ThrottledValue<Value> {
    var kept: Value?
    var isThrottled = false
    var isSettled = false
    var hasCompleted = false

    /// Returns whether the value has to wait, and the one before it, to be let go of without the lock.
    mutating func keep(_ value: Value) -> (waits: Bool, replaced: Value?) {
        defer { kept = value }
        return (isThrottled, kept)
    }

    mutating func takeIfOpen() -> (value: Value?, completes: Bool) {
        guard !isThrottled else { return (nil, hasCompleted && (kept == nil || isSettled)) }
        let value = kept
        kept = nil
        return (value, hasCompleted)
    }
}
