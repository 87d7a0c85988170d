// SPDX-License-Identifier: MIT

extension Signal {
    /// The signal behind an operator on one stream. It stays attached while somebody references or observes it.
    func applying<U, F>(_ transform: Transform<Value, Error, U, F>) -> Signal<U, F> {
        Signal<U, F>(
            .unserialized,
            { observer, lifetime in
                let sink = transform(observer.asSink, { lifetime })
                let observation = core.attach(Observer(sink))
                if let observation { lifetime.disposables.insert(observation) }
            })
    }
}

extension SignalProducer {
    /// The producer behind an operator on one stream.
    func applying<U, F>(_ transform: @escaping Transform<Value, Error, U, F>) -> SignalProducer<U, F> {
        SignalProducer<U, F>(TransformedCore(core, transform))
    }

    /// Makes an operator on signals one on producers; `transform` runs at each start.
    @preconcurrency
    public func lift<U, F>(_ transform: @escaping @Sendable (Signal<Value, Error>) -> Signal<U, F>) -> SignalProducer<U, F> {
        liftUnchecked(transform)
    }

    /// Makes an operator on two signals one on two producers. The right one is started first; both at each start.
    @preconcurrency
    public func lift<U, F, V, G>(
        _ transform: @escaping @Sendable (Signal<Value, Error>) -> (Signal<U, F>) -> Signal<V, G>
    ) -> (SignalProducer<U, F>) -> SignalProducer<V, G> {
        liftRight(transform)
    }

    func liftUnchecked<U, F>(_ transform: @escaping (Signal<Value, Error>) -> Signal<U, F>) -> SignalProducer<U, F> {
        .handling { observer, lifetime in
            let source = core.makeInstance()
            lifetime.disposables.insert(source.handle)
            lifetime.follow(transform(source.signal), observer)
            source.runUnlessDisposed()
        }
    }

    /// The shape of an operator on two streams that starts the right one first.
    func liftRight<U, F, V, G>(
        _ transform: @escaping (Signal<Value, Error>) -> (Signal<U, F>) -> Signal<V, G>
    ) -> (SignalProducer<U, F>) -> SignalProducer<V, G> {
        { right in
            .handling { observer, lifetime in
                let (left, right) = (core.makeInstance(), right.core.makeInstance())
                lifetime.disposables.insert(left.handle)
                lifetime.disposables.insert(right.handle)
                lifetime.follow(transform(left.signal)(right.signal), observer)
                right.runUnlessDisposed()
                left.runUnlessDisposed()
            }
        }
    }

    /// The shape of an operator on two streams that starts the left one first.
    func liftLeft<U, F, V, G>(
        _ transform: @escaping (Signal<Value, Error>) -> (Signal<U, F>) -> Signal<V, G>
    ) -> (SignalProducer<U, F>) -> SignalProducer<V, G> {
        { right in
            .handling { observer, lifetime in
                let (left, right) = (core.makeInstance(), right.core.makeInstance())
                lifetime.disposables.insert(left.handle)
                lifetime.disposables.insert(right.handle)
                lifetime.follow(transform(left.signal)(right.signal), observer)
                left.runUnlessDisposed()
                right.runUnlessDisposed()
            }
        }
    }
}

extension Lifetime {
    /// Sends the events of `signal` on for as long as this goes on.
    func follow<Value, Error>(_ signal: Signal<Value, Error>, _ observer: Signal<Value, Error>.Observer) {
        if let observation = signal.observe(observer) { disposables.insert(observation) }
    }
}
