// SPDX-License-Identifier: MIT

extension Signal {
    /// Sends the values of the streams that `transform` makes of its values. A failure of any ends the result.
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Error>
    ) -> Signal<U, Error> {
        map(transform).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values. A failure of any ends the result.
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Error {
        applying(Operators.map(transform)).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values. Its own failure ends the result.
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Never>
    ) -> Signal<U, Error> {
        map(transform).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values. Its own failure ends the result.
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Error> where Inner.Error == Never {
        applying(Operators.map(transform)).flatten(strategy)
    }
}

extension SignalProducer {
    /// Sends the values of the streams that `transform` makes of its values. A failure of any ends the result.
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Error>
    ) -> SignalProducer<U, Error> {
        map(transform).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values. A failure of any ends the result.
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Error {
        applying(Operators.map(transform)).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values. Its own failure ends the result.
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Never>
    ) -> SignalProducer<U, Error> {
        map(transform).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values. Its own failure ends the result.
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Error> where Inner.Error == Never {
        applying(Operators.map(transform)).flatten(strategy)
    }
}

extension Signal where Error == Never {
    /// Sends the values of the streams that `transform` makes of its values. A failure of any ends the result.
    @preconcurrency
    public func flatMap<U, F>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> Signal<U, F> {
        map(transform).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values. A failure of any ends the result.
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Error> {
        applying(Operators.map(transform)).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values.
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Never>
    ) -> Signal<U, Never> {
        map(transform).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values.
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> Signal<Inner.Value, Never> where Inner.Error == Never {
        applying(Operators.map(transform)).flatten(strategy)
    }
}

extension SignalProducer where Error == Never {
    /// Sends the values of the streams that `transform` makes of its values. A failure of any ends the result.
    @preconcurrency
    public func flatMap<U, F>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, F>
    ) -> SignalProducer<U, F> {
        map(transform).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values. A failure of any ends the result.
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Error> {
        applying(Operators.map(transform)).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values.
    @preconcurrency
    public func flatMap<U>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> SignalProducer<U, Never>
    ) -> SignalProducer<U, Never> {
        map(transform).flatten(strategy)
    }

    /// Sends the values of the streams that `transform` makes of its values.
    @preconcurrency
    public func flatMap<Inner: SignalProducerConvertible>(
        _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Never> where Inner.Error == Never {
        applying(Operators.map(transform)).flatten(strategy)
    }
}

extension Signal {
    func flatMapErrorUnchecked<F>(_ transform: @escaping (Error) -> ProducerCore<Value, F>) -> Signal<Value, F> {
        Signal<Value, F>(.inTurn) { observer, lifetime in
            lifetime += observeUnchecked({ event in
                switch event {
                case .value(let value): observer.send(value: value)
                case .failed(let error):
                    let (handle, run) = transform(error).connect(.unchecked { observer.send($0) })
                    lifetime.disposables.insert(handle)
                    if !handle.isDisposed { run() }
                case .completed: observer.sendCompleted()
                case .interrupted: observer.sendInterrupted()
                }
            })
        }
    }

    /// Goes on with the stream that `transform` makes of the error.
    @preconcurrency
    public func flatMapError<F>(_ transform: @escaping @Sendable (Error) -> SignalProducer<Value, F>) -> Signal<Value, F> {
        flatMapErrorUnchecked({ transform($0).core })
    }

    /// Goes on with the stream that `transform` makes of the error.
    @preconcurrency
    public func flatMapError<Inner: SignalProducerConvertible>(
        _ transform: @escaping @Sendable (Error) -> Inner
    ) -> Signal<Value, Inner.Error> where Inner.Value == Value {
        flatMapErrorUnchecked({ transform($0).producer.core })
    }
}

extension SignalProducer {
    /// Goes on with the stream that `transform` makes of the error.
    @preconcurrency
    public func flatMapError<F>(_ transform: @escaping @Sendable (Error) -> SignalProducer<Value, F>) -> SignalProducer<Value, F> {
        liftUnchecked({ $0.flatMapErrorUnchecked({ transform($0).core }) })
    }

    /// Goes on with the stream that `transform` makes of the error.
    @preconcurrency
    public func flatMapError<Inner: SignalProducerConvertible>(
        _ transform: @escaping @Sendable (Error) -> Inner
    ) -> SignalProducer<Value, Inner.Error> where Inner.Value == Value {
        liftUnchecked({ $0.flatMapErrorUnchecked({ transform($0).producer.core }) })
    }
}
