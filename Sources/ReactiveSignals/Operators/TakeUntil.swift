// SPDX-License-Identifier: MIT

extension Signal {
    /// Completes when `lifetime` ends; at once if it has ended.
    public func take(during lifetime: Lifetime) -> Signal<Value, Error> {
        Signal(.inTurn) { observer, own in
            own.follow(self, observer)
            if let id = lifetime.disposables.insert(unchecked: observer.sendCompleted) {
                own.disposables.insert(unchecked: { lifetime.disposables.remove(id) })
            }
        }
    }

    /// Completes when `trigger` sends a value or completes. An interruption of `trigger` is ignored.
    public func take(until trigger: Signal<(), Never>) -> Signal<Value, Error> {
        Signal(.inTurn) { observer, lifetime in
            lifetime.follow(self, observer)
            lifetime += trigger.observeUnchecked({ event in
                switch event {
                case .value, .completed: observer.sendCompleted()
                case .failed, .interrupted: break
                }
            })
        }
    }

    /// Sends this signal's events until `replacement` sends one, from then on those of `replacement`. This signal's completion is ignored.
    public func take(untilReplacement replacement: Signal<Value, Error>) -> Signal<Value, Error> {
        Signal(.inTurn) { observer, lifetime in
            let isReplaced = Guarded(false)
            let original = observeUnchecked({ event in
                if case .completed = event { return }
                if !isReplaced.withLock({ $0 }) { observer.send(event) }
            })
            lifetime += original
            lifetime += replacement.observeUnchecked({ event in
                isReplaced.withLock { $0 = true }
                original?.dispose()
                observer.send(event)
            })
        }
    }
}

extension SignalProducer {
    /// Completes when `lifetime` ends; at once if it has ended.
    public func take(during lifetime: Lifetime) -> SignalProducer<Value, Error> {
        .handling { observer, own in
            if let id = lifetime.disposables.insert(unchecked: observer.sendCompleted) {
                own.disposables.insert(unchecked: { lifetime.disposables.remove(id) })
            }
            if !own.hasEnded { start(into: observer, during: own) }
        }
    }

    /// Completes when `trigger`, which is started first, sends a value or completes. An interruption of `trigger` is ignored.
    public func take(until trigger: SignalProducer<(), Never>) -> SignalProducer<Value, Error> {
        liftRight(Signal.take(until:))(trigger)
    }

    /// Completes when `trigger`, which is started first, sends a value or completes. An interruption of `trigger` is ignored.
    public func take(until trigger: some SignalProducerConvertible<(), Never>) -> SignalProducer<Value, Error> {
        take(until: trigger.producer)
    }

    /// Sends events until `replacement`, which is started first, sends one, from then on those of `replacement`.
    public func take(untilReplacement replacement: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        liftRight(Signal.take(untilReplacement:))(replacement)
    }

    /// Sends events until `replacement`, which is started first, sends one, from then on those of `replacement`.
    public func take(untilReplacement replacement: some SignalProducerConvertible<Value, Error>) -> SignalProducer<Value, Error> {
        take(untilReplacement: replacement.producer)
    }
}
