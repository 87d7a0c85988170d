// SPDX-License-Identifier: MIT

extension Operators {
    static func take<V, E>(first count: Int) -> Transform<V, E, V, E> {
        { sink, _ in
            let sink = sink.untilEnd
            var taken = 0
            return Sink(
                value: { value in
                    guard taken < count else { return }
                    taken += 1
                    let isLast = taken == count
                    sink.value(value)
                    if isLast { sink.end(.completed) }
                }, end: sink.end)
        }
    }

    static func take<V, E>(last count: Int) -> Transform<V, E, V, E> {
        { sink, _ in
            var ring = ContiguousArray<V>()
            var oldest = 0
            return Sink(
                value: { value in
                    if ring.count < count {
                        ring.append(value)
                    } else if count > 0 {
                        ring[oldest] = value
                        oldest = (oldest + 1) % count
                    }
                },
                end: { end in
                    if case .completed = end {
                        for index in ring.indices { sink.value(ring[(oldest + index) % ring.count]) }
                    }
                    sink.end(end)
                })
        }
    }

    /// Ends at the first value that is refused, with it or without it.
    static func take<V, E>(while shouldContinue: @escaping (V) -> Bool, sendingLast: Bool) -> Transform<V, E, V, E> {
        { sink, _ in
            let sink = sink.untilEnd
            return Sink(
                value: { value in
                    guard !shouldContinue(value) else {
                        sink.value(value)
                        return
                    }
                    if sendingLast { sink.value(value) }
                    sink.end(.completed)
                }, end: sink.end)
        }
    }
}

extension Signal {
    /// Completes with the `count`-th value. A signal that takes none has terminated already. Negative counts trap.
    public func take(first count: Int) -> Signal<Value, Error> {
        precondition(count >= 0, "The number of values to take must not be negative")
        return count == 0 ? .empty : applying(Operators.take(first: count))
    }
}

extension SignalProducer {
    /// Completes with the `count`-th value. A producer that takes none is interrupted without being started. Negative counts trap.
    public func take(first count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "The number of values to take must not be negative")
        return count == 0 ? .generating({ _, _ in .interrupted }) : applying(Operators.take(first: count))
    }
}

extension Signal {
    /// Sends the last `count` values on completion, nothing before. Negative counts trap.
    public func take(last count: Int) -> Signal<Value, Error> {
        precondition(count >= 0, "The number of values to take must not be negative")
        return applying(Operators.take(last: count))
    }

    /// Completes before the first value for which `shouldContinue` is false.
    @preconcurrency
    public func take(while shouldContinue: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Error> {
        applying(Operators.take(while: shouldContinue, sendingLast: false))
    }

    /// Completes after the first value for which `shouldContinue` is false.
    @preconcurrency
    public func take(until shouldContinue: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Error> {
        applying(Operators.take(while: shouldContinue, sendingLast: true))
    }
}

extension SignalProducer {
    /// Sends the last `count` values on completion, nothing before. Negative counts trap.
    public func take(last count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "The number of values to take must not be negative")
        return applying(Operators.take(last: count))
    }

    /// Completes before the first value for which `shouldContinue` is false.
    @preconcurrency
    public func take(while shouldContinue: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Value, Error> {
        applying(Operators.take(while: shouldContinue, sendingLast: false))
    }

    /// Completes after the first value for which `shouldContinue` is false.
    @preconcurrency
    public func take(until shouldContinue: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Value, Error> {
        applying(Operators.take(while: shouldContinue, sendingLast: true))
    }
}
