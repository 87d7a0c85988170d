// SPDX-License-Identifier: MIT

extension Operators {
    static func collect<V, E>() -> Transform<V, E, [V], E> {
        { sink, _ in
            var collected: [V] = []
            return Sink(
                value: { collected.append($0) },
                end: { end in
                    if case .completed = end { sink.value(take(&collected)) }
                    sink.end(end)
                })
        }
    }

    static func collect<V, E>(count: Int) -> Transform<V, E, [V], E> {
        { sink, _ in
            var collected: [V] = []
            return Sink(
                value: { value in
                    collected.append(value)
                    if collected.count == count { sink.value(take(&collected)) }
                }, end: { sendRest(take(&collected), sink, $0) })
        }
    }

    static func collect<V, E>(including shouldEmit: @escaping ([V]) -> Bool) -> Transform<V, E, [V], E> {
        { sink, _ in
            var collected: [V] = []
            return Sink(
                value: { value in
                    collected.append(value)
                    if shouldEmit(collected) { sink.value(take(&collected)) }
                }, end: { sendRest(take(&collected), sink, $0) })
        }
    }

    static func collect<V, E>(before shouldEmit: @escaping ([V], V) -> Bool) -> Transform<V, E, [V], E> {
        { sink, _ in
            var collected: [V] = []
            return Sink(
                value: { value in
                    guard shouldEmit(collected, value) else {
                        collected.append(value)
                        return
                    }
                    let emitted = take(&collected)
                    collected.append(value)
                    sink.value(emitted)
                }, end: { sendRest(take(&collected), sink, $0) })
        }
    }

    /// A rest is sent on completion only.
    private static func sendRest<V, E>(_ rest: [V], _ sink: Sink<[V], E>, _ end: StreamEnd<E>) {
        if case .completed = end, !rest.isEmpty { sink.value(rest) }
        sink.end(end)
    }

    private static func take<V>(_ collected: inout [V]) -> [V] {
        let taken = collected
        collected = []
        return taken
    }
}

extension Signal {
    /// Sends one array of all values on completion, empty if there were none.
    public func collect() -> Signal<[Value], Error> {
        applying(Operators.collect())
    }

    /// Sends arrays of `count` values, and a shorter one of the rest on completion. Counts below 1 trap.
    public func collect(count: Int) -> Signal<[Value], Error> {
        precondition(count > 0, "The number of values to collect must be positive")
        return applying(Operators.collect(count: count))
    }

    /// Collects values until `shouldEmit` is true for the array with the latest value, and sends it; the rest on completion.
    @preconcurrency
    public func collect(_ shouldEmit: @escaping @Sendable (_ collected: [Value]) -> Bool) -> Signal<[Value], Error> {
        applying(Operators.collect(including: shouldEmit))
    }

    /// Collects values until `shouldEmit` is true for the array and the latest value, sends the array without that value, and starts the
    /// next with it; the rest is sent on completion.
    @preconcurrency
    public func collect(_ shouldEmit: @escaping @Sendable (_ collected: [Value], _ latest: Value) -> Bool) -> Signal<[Value], Error> {
        applying(Operators.collect(before: shouldEmit))
    }
}

extension SignalProducer {
    /// Sends one array of all values on completion, empty if there were none.
    public func collect() -> SignalProducer<[Value], Error> {
        applying(Operators.collect())
    }

    /// Sends arrays of `count` values, and a shorter one of the rest on completion. Counts below 1 trap.
    public func collect(count: Int) -> SignalProducer<[Value], Error> {
        precondition(count > 0, "The number of values to collect must be positive")
        return applying(Operators.collect(count: count))
    }

    /// Collects values until `shouldEmit` is true for the array with the latest value, and sends it; the rest on completion.
    @preconcurrency
    public func collect(_ shouldEmit: @escaping @Sendable (_ collected: [Value]) -> Bool) -> SignalProducer<[Value], Error> {
        applying(Operators.collect(including: shouldEmit))
    }

    /// Collects values until `shouldEmit` is true for the array and the latest value, sends the array without that value, and starts the
    /// next with it; the rest is sent on completion.
    @preconcurrency
    public func collect(_ shouldEmit: @escaping @Sendable (_ collected: [Value], _ latest: Value) -> Bool) -> SignalProducer<[Value], Error>
    {
        applying(Operators.collect(before: shouldEmit))
    }
}
