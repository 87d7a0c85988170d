// SPDX-License-Identifier: MIT

extension Operators {
    static func skip<V, E>(first count: Int) -> Transform<V, E, V, E> {
        { sink, _ in
            var skipped = 0
            return Sink(
                value: { value in
                    if skipped < count {
                        skipped += 1
                    } else {
                        sink.value(value)
                    }
                }, end: sink.end)
        }
    }

    static func skip<V, E>(while shouldContinue: @escaping (V) -> Bool) -> Transform<V, E, V, E> {
        { sink, _ in
            var isSkipping = true
            return Sink(
                value: { value in
                    isSkipping = isSkipping && shouldContinue(value)
                    if !isSkipping { sink.value(value) }
                }, end: sink.end)
        }
    }

    static func skipRepeats<V, E>(_ isEquivalent: @escaping (V, V) -> Bool) -> Transform<V, E, V, E> {
        { sink, _ in
            var previous: V?
            return Sink(
                value: { value in
                    let isRepeat = previous.map { isEquivalent($0, value) } ?? false
                    previous = value
                    if !isRepeat { sink.value(value) }
                }, end: sink.end)
        }
    }

    static func uniqueValues<V, E, Identity: Hashable>(_ identity: @escaping (V) -> Identity) -> Transform<V, E, V, E> {
        { sink, _ in
            var seen = Set<Identity>()
            return Sink(
                value: { value in
                    if seen.insert(identity(value)).inserted { sink.value(value) }
                }, end: sink.end)
        }
    }
}

extension Signal {
    /// Drops the first `count` values. Negative counts trap.
    public func skip(first count: Int) -> Signal<Value, Error> {
        precondition(count >= 0, "The number of values to skip must not be negative")
        return count == 0 ? self : applying(Operators.skip(first: count))
    }

    /// Drops values until `shouldContinue` is false for one; that one is sent.
    @preconcurrency
    public func skip(while shouldContinue: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Error> {
        applying(Operators.skip(while: shouldContinue))
    }

    /// Drops values that are equivalent to the one right before them.
    @preconcurrency
    public func skipRepeats(_ isEquivalent: @escaping @Sendable (Value, Value) -> Bool) -> Signal<Value, Error> {
        applying(Operators.skipRepeats(isEquivalent))
    }

    /// Drops values whose identity was seen before. The identities are kept until the end.
    @preconcurrency
    public func uniqueValues<Identity: Hashable>(_ transform: @escaping @Sendable (Value) -> Identity) -> Signal<Value, Error> {
        applying(Operators.uniqueValues(transform))
    }
}

extension SignalProducer {
    /// Drops the first `count` values. Negative counts trap.
    public func skip(first count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "The number of values to skip must not be negative")
        return count == 0 ? self : applying(Operators.skip(first: count))
    }

    /// Drops values until `shouldContinue` is false for one; that one is sent.
    @preconcurrency
    public func skip(while shouldContinue: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Value, Error> {
        applying(Operators.skip(while: shouldContinue))
    }

    /// Drops values that are equivalent to the one right before them.
    @preconcurrency
    public func skipRepeats(_ isEquivalent: @escaping @Sendable (Value, Value) -> Bool) -> SignalProducer<Value, Error> {
        applying(Operators.skipRepeats(isEquivalent))
    }

    /// Drops values whose identity was seen before. The identities are kept until the end.
    @preconcurrency
    public func uniqueValues<Identity: Hashable>(_ transform: @escaping @Sendable (Value) -> Identity) -> SignalProducer<Value, Error> {
        applying(Operators.uniqueValues(transform))
    }
}

extension Signal where Value: Equatable {
    /// Drops values that equal the one right before them.
    public func skipRepeats() -> Signal<Value, Error> {
        applying(Operators.skipRepeats { $0 == $1 })
    }
}

extension SignalProducer where Value: Equatable {
    /// Drops values that equal the one right before them.
    public func skipRepeats() -> SignalProducer<Value, Error> {
        applying(Operators.skipRepeats { $0 == $1 })
    }
}

extension Signal where Value: Hashable {
    /// Drops values that were seen before. They are kept until the end.
    public func uniqueValues() -> Signal<Value, Error> {
        applying(Operators.uniqueValues { $0 })
    }
}

extension SignalProducer where Value: Hashable {
    /// Drops values that were seen before. They are kept until the end.
    public func uniqueValues() -> SignalProducer<Value, Error> {
        applying(Operators.uniqueValues { $0 })
    }
}

extension Signal {
    /// Drops values until `trigger` sends one or completes. Is interrupted if `trigger` is, before that.
    public func skip(until trigger: Signal<(), Never>) -> Signal<Value, Error> {
        Signal(.inTurn) { observer, lifetime in
            let isOpen = Guarded(false)
            lifetime += trigger.observeUnchecked({ event in
                switch event {
                case .value, .completed: isOpen.withLock { $0 = true }
                case .interrupted:
                    if !isOpen.withLock({ $0 }) { observer.sendInterrupted() }
                case .failed: break
                }
            })
            lifetime += observeUnchecked({ event in
                if case .value = event, !isOpen.withLock({ $0 }) { return }
                observer.send(event)
            })
        }
    }
}

extension SignalProducer {
    /// Drops values until `trigger`, which is started first, sends one or completes. Is interrupted if `trigger` is, before that.
    public func skip(until trigger: SignalProducer<(), Never>) -> SignalProducer<Value, Error> {
        liftRight(Signal.skip(until:))(trigger)
    }

    /// Drops values until `trigger`, which is started first, sends one or completes. Is interrupted if `trigger` is, before that.
    public func skip(until trigger: some SignalProducerConvertible<(), Never>) -> SignalProducer<Value, Error> {
        skip(until: trigger.producer)
    }
}
