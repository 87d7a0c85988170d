// SPDX-License-Identifier: MIT

extension Operators {
    static func map<V, E, U>(_ transform: @escaping (V) -> U) -> Transform<V, E, U, E> {
        { sink, _ in
            Sink(value: { sink.value(transform($0)) }, end: sink.end)
        }
    }

    static func mapError<V, E, F>(_ transform: @escaping (E) -> F) -> Transform<V, E, V, F> {
        { sink, _ in
            Sink(
                value: sink.value,
                end: { end in
                    switch end {
                    case .failed(let error): sink.end(.failed(transform(error)))
                    case .completed: sink.end(.completed)
                    case .interrupted: sink.end(.interrupted)
                    }
                })
        }
    }
}

extension Signal {
    /// Sends the result of `transform` for each value.
    @preconcurrency
    public func map<U>(_ transform: @escaping @Sendable (Value) -> U) -> Signal<U, Error> {
        applying(Operators.map(transform))
    }

    /// Sends `value` for each value.
    public func map<U>(value: U) -> Signal<U, Error> {
        applying(Operators.map { _ in value })
    }

    /// Sends what is at `keyPath` of each value.
    public func map<U>(_ keyPath: KeyPath<Value, U>) -> Signal<U, Error> {
        applying(Operators.map { $0[keyPath: keyPath] })
    }

    /// Fails with the result of `transform` for the error.
    @preconcurrency
    public func mapError<F>(_ transform: @escaping @Sendable (Error) -> F) -> Signal<Value, F> {
        applying(Operators.mapError(transform))
    }
}

extension SignalProducer {
    /// Sends the result of `transform` for each value.
    @preconcurrency
    public func map<U>(_ transform: @escaping @Sendable (Value) -> U) -> SignalProducer<U, Error> {
        applying(Operators.map(transform))
    }

    /// Sends `value` for each value.
    public func map<U>(value: U) -> SignalProducer<U, Error> {
        applying(Operators.map { _ in value })
    }

    /// Sends what is at `keyPath` of each value.
    public func map<U>(_ keyPath: KeyPath<Value, U>) -> SignalProducer<U, Error> {
        applying(Operators.map { $0[keyPath: keyPath] })
    }

    /// Fails with the result of `transform` for the error.
    @preconcurrency
    public func mapError<F>(_ transform: @escaping @Sendable (Error) -> F) -> SignalProducer<Value, F> {
        applying(Operators.mapError(transform))
    }
}
