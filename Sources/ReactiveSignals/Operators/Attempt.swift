// SPDX-License-Identifier: MIT

extension Operators {
    static func attemptMap<V, E, U, F>(
        _ transform: @escaping (V) -> Result<U, F>, mapError: @escaping (E) -> F
    ) -> Transform<V, E, U, F> {
        { sink, _ in
            var hasFailed = false
            return Sink(
                value: { value in
                    guard !hasFailed else { return }
                    switch transform(value) {
                    case .success(let transformed): sink.value(transformed)
                    case .failure(let error):
                        hasFailed = true
                        sink.end(.failed(error))
                    }
                },
                end: { end in
                    guard !hasFailed else { return }
                    switch end {
                    case .failed(let error): sink.end(.failed(mapError(error)))
                    case .completed: sink.end(.completed)
                    case .interrupted: sink.end(.interrupted)
                    }
                })
        }
    }

    static func throwing<V, U>(_ action: @escaping (V) throws -> U) -> (V) -> Result<U, any Error> {
        { value in Result { try action(value) } }
    }

    static func keepingValue<V, E>(_ action: @escaping (V) -> Result<(), E>) -> (V) -> Result<V, E> {
        { value in action(value).map { value } }
    }
}

extension Signal {
    /// Sends the values for which `action` succeeds; fails with its first failure.
    @preconcurrency
    public func attempt(_ action: @escaping @Sendable (Value) -> Result<(), Error>) -> Signal<Value, Error> {
        applying(Operators.attemptMap(Operators.keepingValue(action)) { $0 })
    }

    /// Sends the successes of `transform`; fails with its first failure.
    @preconcurrency
    public func attemptMap<U>(_ transform: @escaping @Sendable (Value) -> Result<U, Error>) -> Signal<U, Error> {
        applying(Operators.attemptMap(transform) { $0 })
    }
}

extension SignalProducer {
    /// Sends the values for which `action` succeeds; fails with its first failure.
    @preconcurrency
    public func attempt(_ action: @escaping @Sendable (Value) -> Result<(), Error>) -> SignalProducer<Value, Error> {
        applying(Operators.attemptMap(Operators.keepingValue(action)) { $0 })
    }

    /// Sends the successes of `transform`; fails with its first failure.
    @preconcurrency
    public func attemptMap<U>(_ transform: @escaping @Sendable (Value) -> Result<U, Error>) -> SignalProducer<U, Error> {
        applying(Operators.attemptMap(transform) { $0 })
    }
}

extension Signal where Error == Never {
    /// Sends the values for which `action` returns; fails with the first error it throws.
    @preconcurrency
    public func attempt(_ action: @escaping @Sendable (Value) throws -> Void) -> Signal<Value, any Swift.Error> {
        applying(Operators.attemptMap(Operators.keepingValue(Operators.throwing(action)), mapError: absurd))
    }

    /// Sends what `transform` returns; fails with the first error it throws.
    @preconcurrency
    public func attemptMap<U>(_ transform: @escaping @Sendable (Value) throws -> U) -> Signal<U, any Swift.Error> {
        applying(Operators.attemptMap(Operators.throwing(transform), mapError: absurd))
    }
}

extension SignalProducer where Error == Never {
    /// Sends the values for which `action` returns; fails with the first error it throws.
    @preconcurrency
    public func attempt(_ action: @escaping @Sendable (Value) throws -> Void) -> SignalProducer<Value, any Swift.Error> {
        applying(Operators.attemptMap(Operators.keepingValue(Operators.throwing(action)), mapError: absurd))
    }

    /// Sends what `transform` returns; fails with the first error it throws.
    @preconcurrency
    public func attemptMap<U>(_ transform: @escaping @Sendable (Value) throws -> U) -> SignalProducer<U, any Swift.Error> {
        applying(Operators.attemptMap(Operators.throwing(transform), mapError: absurd))
    }
}

extension Signal where Error == any Swift.Error {
    /// Sends the values for which `action` returns; fails with the first error it throws.
    @preconcurrency
    public func attempt(_ action: @escaping @Sendable (Value) throws -> Void) -> Signal<Value, any Swift.Error> {
        applying(Operators.attemptMap(Operators.keepingValue(Operators.throwing(action))) { $0 })
    }

    /// Sends what `transform` returns; fails with the first error it throws.
    @preconcurrency
    public func attemptMap<U>(_ transform: @escaping @Sendable (Value) throws -> U) -> Signal<U, any Swift.Error> {
        applying(Operators.attemptMap(Operators.throwing(transform)) { $0 })
    }
}

extension SignalProducer where Error == any Swift.Error {
    /// Sends the values for which `action` returns; fails with the first error it throws.
    @preconcurrency
    public func attempt(_ action: @escaping @Sendable (Value) throws -> Void) -> SignalProducer<Value, any Swift.Error> {
        applying(Operators.attemptMap(Operators.keepingValue(Operators.throwing(action))) { $0 })
    }

    /// Sends what `transform` returns; fails with the first error it throws.
    @preconcurrency
    public func attemptMap<U>(_ transform: @escaping @Sendable (Value) throws -> U) -> SignalProducer<U, any Swift.Error> {
        applying(Operators.attemptMap(Operators.throwing(transform)) { $0 })
    }
}
