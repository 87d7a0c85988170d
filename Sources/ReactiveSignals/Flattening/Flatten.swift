// SPDX-License-Identifier: MIT

extension Signal where Value: SignalProducerConvertible {
    /// Flattens the values; `convert` gives inner and outer errors one type.
    func flattened<F>(
        _ strategy: FlattenStrategy, outer: @escaping (Error) -> F, inner: @escaping (Value) -> ProducerCore<Value.Value, F>
    ) -> Signal<Value.Value, F> {
        Signal<Value.Value, F>(.inTurn) { observer, lifetime in
            let flattening: any Flattening<Value.Value, F> = strategy.flattening(observer, lifetime)
            lifetime += observeUnchecked({ event in
                switch event {
                case .value(let value): flattening.add(inner(value))
                case .failed(let error): observer.send(error: outer(error))
                case .completed: flattening.complete()
                case .interrupted: observer.sendInterrupted()
                }
            })
        }
    }
}

extension Signal where Value: SignalProducerConvertible, Error == Value.Error {
    /// Sends the values of the streams that are its values. A failure of any ends the result.
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Error> {
        flattened(strategy, outer: { $0 }, inner: { $0.producer.core })
    }
}

extension Signal where Value: SignalProducerConvertible, Error == Never {
    /// Sends the values of the streams that are its values. A failure of any ends the result.
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Value.Error> {
        flattened(strategy, outer: absurd, inner: { $0.producer.core })
    }
}

extension Signal where Value: SignalProducerConvertible, Error == Never, Value.Error == Never {
    /// Sends the values of the streams that are its values.
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Value.Error> {
        flattened(strategy, outer: absurd, inner: { $0.producer.core })
    }
}

extension Signal where Value: SignalProducerConvertible, Value.Error == Never {
    /// Sends the values of the streams that are its values. Its own failure ends the result.
    public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Error> {
        flattened(strategy, outer: { $0 }, inner: { $0.producer.promoteError(Error.self).core })
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Error == Value.Error {
    /// Sends the values of the streams that are its values. A failure of any ends the result.
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Error> {
        liftUnchecked({ $0.flattened(strategy, outer: { $0 }, inner: { $0.producer.core }) })
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Error == Never {
    /// Sends the values of the streams that are its values. A failure of any ends the result.
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Value.Error> {
        liftUnchecked({ $0.flattened(strategy, outer: absurd, inner: { $0.producer.core }) })
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Error == Never, Value.Error == Never {
    /// Sends the values of the streams that are its values.
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Value.Error> {
        liftUnchecked({ $0.flattened(strategy, outer: absurd, inner: { $0.producer.core }) })
    }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Error == Never {
    /// Sends the values of the streams that are its values. Its own failure ends the result.
    public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Error> {
        liftUnchecked({ $0.flattened(strategy, outer: { $0 }, inner: { $0.producer.promoteError(Error.self).core }) })
    }
}

extension Operators {
    static func flatten<V: Sequence, E>() -> Transform<V, E, V.Element, E> {
        { sink, _ in
            Sink(
                value: { elements in
                    for element in elements { sink.value(element) }
                }, end: sink.end)
        }
    }
}

extension Signal where Value: Sequence {
    /// Sends the elements of each value.
    public func flatten() -> Signal<Value.Element, Error> {
        applying(Operators.flatten())
    }
}

extension SignalProducer where Value: Sequence {
    /// Sends the elements of each value.
    public func flatten() -> SignalProducer<Value.Element, Error> {
        applying(Operators.flatten())
    }
}
