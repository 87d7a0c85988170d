// SPDX-License-Identifier: MIT

/// The value that is sent when another stream says so.
private struct Sampled<Value> {
    var latest: Value?
    var hasCompleted = false
    var samplerHasCompleted = false

    var isOver: Bool { hasCompleted && samplerHasCompleted }
}

extension Signal {
    /// Sends this signal's latest value with each value of `sampler`. Completes when both have; is interrupted if either is.
    public func sample<T>(with sampler: Signal<T, Never>) -> Signal<(Value, T), Error> {
        Signal<(Value, T), Error>(.unserialized) { observer, lifetime in
            let outbox = Outbox(observer)
            // Under the outbox's lock.
            var state = Sampled<Value>()
            lifetime += observeUnchecked({ event in
                switch event {
                case .value(let value):
                    // What was there is let go of without the lock.
                    var replaced: Value?
                    outbox.post {
                        replaced = state.latest
                        state.latest = value
                        return nil
                    }
                    withExtendedLifetime(replaced) {}
                case .failed(let error): outbox.post(.failed(error))
                case .completed:
                    outbox.post {
                        state.hasCompleted = true
                        return state.isOver ? .completed : nil
                    }
                case .interrupted: outbox.post(.interrupted)
                }
            })
            lifetime += sampler.observeUnchecked({ event in
                switch event {
                case .value(let sample): outbox.post { state.latest.map { .value(($0, sample)) } }
                case .failed(let never): absurd(never)
                case .completed:
                    outbox.post {
                        state.samplerHasCompleted = true
                        return state.isOver ? .completed : nil
                    }
                case .interrupted: outbox.post(.interrupted)
                }
            })
        }
    }

    /// Sends this signal's latest value whenever `sampler` sends. Completes when both have; is interrupted if either is.
    public func sample(on sampler: Signal<(), Never>) -> Signal<Value, Error> {
        sample(with: sampler).applying(Operators.map { $0.0 })
    }

    /// Sends each value with the latest of `samplee`, once there is one. The end of `samplee` is ignored.
    public func withLatest<U>(from samplee: Signal<U, Never>) -> Signal<(Value, U), Error> {
        Signal<(Value, U), Error>(.unserialized) { observer, lifetime in
            let latest = Guarded<U?>(nil)
            lifetime += samplee.observeUnchecked({ event in
                guard case .value(let value) = event else { return }
                let previous = latest.withLock { latest in
                    let previous = latest
                    latest = value
                    return previous
                }
                withExtendedLifetime(previous) {}
            })
            lifetime += observeUnchecked({ event in
                switch event {
                case .value(let value):
                    if let sample = latest.withLock({ $0 }) { observer.send(value: (value, sample)) }
                case .failed(let error): observer.send(error: error)
                case .completed: observer.sendCompleted()
                case .interrupted: observer.sendInterrupted()
                }
            })
        }
    }

    /// Sends each value with the latest of `samplee`, which is started now. The end of `samplee` is ignored.
    public func withLatest<U>(from samplee: SignalProducer<U, Never>) -> Signal<(Value, U), Error> {
        Signal<(Value, U), Error>(.unserialized) { observer, lifetime in
            let instance = samplee.core.makeInstance()
            lifetime.disposables.insert(instance.handle)
            lifetime.follow(withLatest(from: instance.signal), observer)
            instance.runUnlessDisposed()
        }
    }

    /// Sends each value with the latest of `samplee`, which is started now. The end of `samplee` is ignored.
    public func withLatest<Samplee: SignalProducerConvertible>(
        from samplee: Samplee
    ) -> Signal<(Value, Samplee.Value), Error> where Samplee.Error == Never {
        withLatest(from: samplee.producer)
    }
}

extension SignalProducer {
    /// Sends the latest value with each value of `sampler`, which is started last. Completes when both have; is interrupted if either is.
    public func sample<T>(with sampler: SignalProducer<T, Never>) -> SignalProducer<(Value, T), Error> {
        liftLeft(Signal.sample(with:))(sampler)
    }

    /// Sends the latest value with each value of `sampler`, which is started last. Completes when both have; is interrupted if either is.
    public func sample<Sampler: SignalProducerConvertible>(
        with sampler: Sampler
    ) -> SignalProducer<(Value, Sampler.Value), Error> where Sampler.Error == Never {
        sample(with: sampler.producer)
    }

    /// Sends the latest value whenever `sampler`, which is started last, sends. Completes when both have; is interrupted if either is.
    public func sample(on sampler: SignalProducer<(), Never>) -> SignalProducer<Value, Error> {
        liftLeft(Signal.sample(on:))(sampler)
    }

    /// Sends the latest value whenever `sampler`, which is started last, sends. Completes when both have; is interrupted if either is.
    public func sample(on sampler: some SignalProducerConvertible<(), Never>) -> SignalProducer<Value, Error> {
        sample(on: sampler.producer)
    }

    /// Sends each value with the latest of `samplee`, which is started first. The end of `samplee` is ignored.
    public func withLatest<U>(from samplee: SignalProducer<U, Never>) -> SignalProducer<(Value, U), Error> {
        liftRight({ (signal: Signal<Value, Error>) in { (samplee: Signal<U, Never>) in signal.withLatest(from: samplee) } })(samplee)
    }

    /// Sends each value with the latest of `samplee`, which is started first. The end of `samplee` is ignored.
    public func withLatest<Samplee: SignalProducerConvertible>(
        from samplee: Samplee
    ) -> SignalProducer<(Value, Samplee.Value), Error> where Samplee.Error == Never {
        withLatest(from: samplee.producer)
    }
}
