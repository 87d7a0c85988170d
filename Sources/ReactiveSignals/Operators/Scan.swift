// SPDX-License-Identifier: MIT

extension Operators {
    /// Sends what `next` makes of the state and each value.
    static func scan<V, E, State, U>(into initial: State, _ next: @escaping (inout State, V) -> U) -> Transform<V, E, U, E> {
        { sink, _ in
            var state = initial
            return Sink(value: { sink.value(next(&state, $0)) }, end: sink.end)
        }
    }

    /// Sends the state once, on completion.
    static func reduce<V, E, U>(into initial: U, _ next: @escaping (inout U, V) -> Void) -> Transform<V, E, U, E> {
        { sink, _ in
            var state = initial
            return Sink(
                value: { next(&state, $0) },
                end: { end in
                    if case .completed = end { sink.value(state) }
                    sink.end(end)
                })
        }
    }

    static func combinePrevious<V, E>(_ initial: V?) -> Transform<V, E, (V, V), E> {
        { sink, _ in
            var previous = initial
            return Sink(
                value: { value in
                    let before = previous
                    previous = value
                    if let before { sink.value((before, value)) }
                }, end: sink.end)
        }
    }
}

extension Signal {
    /// Sends each accumulation of the values, beginning with that of `initialResult` and the first.
    @preconcurrency
    public func scan<U>(_ initialResult: U, _ nextPartialResult: @escaping @Sendable (U, Value) -> U) -> Signal<U, Error> {
        scan(into: initialResult) { accumulated, value in accumulated = nextPartialResult(accumulated, value) }
    }

    /// Sends each accumulation of the values, beginning with that of `initialResult` and the first.
    @preconcurrency
    public func scan<U>(into initialResult: U, _ nextPartialResult: @escaping @Sendable (inout U, Value) -> Void) -> Signal<U, Error> {
        applying(
            Operators.scan(into: initialResult) { accumulated, value in
                nextPartialResult(&accumulated, value)
                return accumulated
            })
    }

    /// Sends the accumulation of all values once, on completion; `initialResult` if there were none.
    @preconcurrency
    public func reduce<U>(_ initialResult: U, _ nextPartialResult: @escaping @Sendable (U, Value) -> U) -> Signal<U, Error> {
        reduce(into: initialResult) { accumulated, value in accumulated = nextPartialResult(accumulated, value) }
    }

    /// Sends the accumulation of all values once, on completion; `initialResult` if there were none.
    @preconcurrency
    public func reduce<U>(into initialResult: U, _ nextPartialResult: @escaping @Sendable (inout U, Value) -> Void) -> Signal<U, Error> {
        applying(Operators.reduce(into: initialResult, nextPartialResult))
    }

    /// Sends what `next` makes of a state and each value, and keeps the state that it returns beside it.
    @preconcurrency
    public func scanMap<State, U>(_ initialState: State, _ next: @escaping @Sendable (State, Value) -> (State, U)) -> Signal<U, Error> {
        scanMap(into: initialState) { state, value in
            let (nextState, result) = next(state, value)
            state = nextState
            return result
        }
    }

    /// Sends what `next` makes of a state that it may change and each value.
    @preconcurrency
    public func scanMap<State, U>(into initialState: State, _ next: @escaping @Sendable (inout State, Value) -> U) -> Signal<U, Error> {
        applying(Operators.scan(into: initialState, next))
    }

    /// Sends each value but the first with the one before it.
    public func combinePrevious() -> Signal<(Value, Value), Error> {
        applying(Operators.combinePrevious(nil))
    }

    /// Sends each value with the one before it, the first with `initial`.
    public func combinePrevious(_ initial: Value) -> Signal<(Value, Value), Error> {
        applying(Operators.combinePrevious(initial))
    }
}

extension SignalProducer {
    /// Sends each accumulation of the values, beginning with that of `initialResult` and the first.
    @preconcurrency
    public func scan<U>(_ initialResult: U, _ nextPartialResult: @escaping @Sendable (U, Value) -> U) -> SignalProducer<U, Error> {
        scan(into: initialResult) { accumulated, value in accumulated = nextPartialResult(accumulated, value) }
    }

    /// Sends each accumulation of the values, beginning with that of `initialResult` and the first.
    @preconcurrency
    public func scan<U>(into initialResult: U, _ nextPartialResult: @escaping @Sendable (inout U, Value) -> Void) -> SignalProducer<
        U, Error
    > {
        applying(
            Operators.scan(into: initialResult) { accumulated, value in
                nextPartialResult(&accumulated, value)
                return accumulated
            })
    }

    /// Sends the accumulation of all values once, on completion; `initialResult` if there were none.
    @preconcurrency
    public func reduce<U>(_ initialResult: U, _ nextPartialResult: @escaping @Sendable (U, Value) -> U) -> SignalProducer<U, Error> {
        reduce(into: initialResult) { accumulated, value in accumulated = nextPartialResult(accumulated, value) }
    }

    /// Sends the accumulation of all values once, on completion; `initialResult` if there were none.
    @preconcurrency
    public func reduce<U>(into initialResult: U, _ nextPartialResult: @escaping @Sendable (inout U, Value) -> Void) -> SignalProducer<
        U, Error
    > {
        applying(Operators.reduce(into: initialResult, nextPartialResult))
    }

    /// Sends what `next` makes of a state and each value, and keeps the state that it returns beside it.
    @preconcurrency
    public func scanMap<State, U>(_ initialState: State, _ next: @escaping @Sendable (State, Value) -> (State, U)) -> SignalProducer<
        U, Error
    > {
        scanMap(into: initialState) { state, value in
            let (nextState, result) = next(state, value)
            state = nextState
            return result
        }
    }

    /// Sends what `next` makes of a state that it may change and each value.
    @preconcurrency
    public func scanMap<State, U>(into initialState: State, _ next: @escaping @Sendable (inout State, Value) -> U) -> SignalProducer<
        U, Error
    > {
        applying(Operators.scan(into: initialState, next))
    }

    /// Sends each value but the first with the one before it.
    public func combinePrevious() -> SignalProducer<(Value, Value), Error> {
        applying(Operators.combinePrevious(nil))
    }

    /// Sends each value with the one before it, the first with `initial`.
    public func combinePrevious(_ initial: Value) -> SignalProducer<(Value, Value), Error> {
        applying(Operators.combinePrevious(initial))
    }
}
