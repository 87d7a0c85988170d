// SPDX-License-Identifier: MIT

extension Signal {
    static func join<B, each C>(
        _ rule: JoinRule, _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: (repeat Signal<each C, Error>)
    ) -> Signal<(Value, B, repeat each C), Error> {
        Signal<(Value, B, repeat each C), Error>(.unserialized) { observer, lifetime in
            let (first, second) = (JoinInput<Value>(), JoinInput<B>())
            let others = (repeat JoinInput<each C>())
            var count = 2
            for _ in repeat each others { count += 1 }
            let join = Join(rule, observer, lifetime, count: count) { join in
                (join.take(first), join.take(second), repeat join.take(each others))
            }
            join.connect(a, first)
            join.connect(b, second)
            repeat join.connect(each c, each others)
        }
    }

    static func join(_ rule: JoinRule, _ signals: some Sequence<Signal<Value, Error>>) -> Signal<[Value], Error> {
        let signals = Array(signals)
        guard !signals.isEmpty else { return .empty }
        return Signal<[Value], Error>(.unserialized) { observer, lifetime in
            let inputs = signals.map { _ in JoinInput<Value>() }
            let join = Join(rule, observer, lifetime, count: signals.count) { join in inputs.map { join.take($0) } }
            for (signal, input) in Swift.zip(signals, inputs) { join.connect(signal, input) }
        }
    }

    /// Sends the latest values of this and another signal together, once both have sent one. Completes when both have completed.
    public func combineLatest<U>(with other: Signal<U, Error>) -> Signal<(Value, U), Error> {
        Signal.combineLatest(self, other)
    }

    /// Sends the first values of this and another signal together, then the second ones, and so on. Completes when no pair can follow.
    public func zip<U>(with other: Signal<U, Error>) -> Signal<(Value, U), Error> {
        Signal.zip(self, other)
    }

    /// Sends the latest values of all signals together, once each has sent one. Completes when all have completed.
    public static func combineLatest<B, each C>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: repeat Signal<each C, Error>
    ) -> Signal<(Value, B, repeat each C), Error> {
        join(.latest, a, b, (repeat each c))
    }

    /// Sends the first values of all signals together, then the second ones, and so on. Completes when no group can follow.
    public static func zip<B, each C>(
        _ a: Signal<Value, Error>, _ b: Signal<B, Error>, _ c: repeat Signal<each C, Error>
    ) -> Signal<(Value, B, repeat each C), Error> {
        join(.pairs, a, b, (repeat each c))
    }

    /// Sends the latest values of all signals as an array, once each has sent one. Has completed if there are none.
    public static func combineLatest(_ signals: some Sequence<Signal<Value, Error>>) -> Signal<[Value], Error> {
        join(.latest, signals)
    }

    /// Sends the first values of all signals as an array, then the second ones, and so on. Has completed if there are none.
    public static func zip(_ signals: some Sequence<Signal<Value, Error>>) -> Signal<[Value], Error> {
        join(.pairs, signals)
    }
}

extension SignalProducer {
    static func join<B, each C>(
        _ rule: JoinRule, _ a: SignalProducer<Value, Error>, _ b: SignalProducer<B, Error>, _ c: (repeat SignalProducer<each C, Error>)
    ) -> SignalProducer<(Value, B, repeat each C), Error> {
        .handling { observer, lifetime in
            let first = a.core.makeInstance()
            let second = b.core.makeInstance()
            let others = (repeat (each c).core.makeInstance())
            lifetime.disposables.insert(first.handle)
            lifetime.disposables.insert(second.handle)
            for handle in repeat (each others).handle { lifetime.disposables.insert(handle) }
            lifetime.follow(Signal.join(rule, first.signal, second.signal, (repeat (each others).signal)), observer)
            first.runUnlessDisposed()
            second.runUnlessDisposed()
            repeat (each others).runUnlessDisposed()
        }
    }

    static func join<P: SignalProducerConvertible<Value, Error>>(
        _ rule: JoinRule, _ producers: some Sequence<P>, emptySentinel: [Value]?
    ) -> SignalProducer<[Value], Error> {
        let cores = producers.map(\.producer.core)
        guard !cores.isEmpty else {
            return emptySentinel.map(SignalProducer<[Value], Error>.init(value:)) ?? .empty
        }
        return .handling { observer, lifetime in
            let instances = cores.map { $0.makeInstance() }
            for instance in instances { lifetime.disposables.insert(instance.handle) }
            lifetime.follow(Signal.join(rule, instances.map(\.signal)), observer)
            for instance in instances { instance.runUnlessDisposed() }
        }
    }

    /// Sends the latest values of this and another producer together, once both have sent one. Completes when both have completed.
    public func combineLatest<U>(with other: SignalProducer<U, Error>) -> SignalProducer<(Value, U), Error> {
        SignalProducer.join(.latest, self, other, ())
    }

    /// Sends the latest values of this and another producer together, once both have sent one. Completes when both have completed.
    public func combineLatest<Other: SignalProducerConvertible>(
        with other: Other
    ) -> SignalProducer<(Value, Other.Value), Error> where Other.Error == Error {
        combineLatest(with: other.producer)
    }

    /// Sends the first values of this and another producer together, then the second ones, and so on. Completes when no pair can follow.
    public func zip<U>(with other: SignalProducer<U, Error>) -> SignalProducer<(Value, U), Error> {
        SignalProducer.join(.pairs, self, other, ())
    }

    /// Sends the first values of this and another producer together, then the second ones, and so on. Completes when no pair can follow.
    public func zip<Other: SignalProducerConvertible>(
        with other: Other
    ) -> SignalProducer<(Value, Other.Value), Error> where Other.Error == Error {
        zip(with: other.producer)
    }

    /// Sends the latest values of all producers together, once each has sent one. Starts them in this order; completes when all have
    /// completed.
    public static func combineLatest<A: SignalProducerConvertible, B: SignalProducerConvertible, each C>(
        _ a: A, _ b: B, _ c: repeat SignalProducer<each C, Error>
    ) -> SignalProducer<(Value, B.Value, repeat each C), Error> where A.Value == Value, A.Error == Error, B.Error == Error {
        join(.latest, a.producer, b.producer, (repeat each c))
    }

    /// Sends the first values of all producers together, then the second ones, and so on. Starts them in this order.
    public static func zip<A: SignalProducerConvertible, B: SignalProducerConvertible, each C>(
        _ a: A, _ b: B, _ c: repeat SignalProducer<each C, Error>
    ) -> SignalProducer<(Value, B.Value, repeat each C), Error> where A.Value == Value, A.Error == Error, B.Error == Error {
        join(.pairs, a.producer, b.producer, (repeat each c))
    }

    /// Sends the latest values of all producers as an array, once each has sent one. Completes if there are none.
    public static func combineLatest<P: SignalProducerConvertible<Value, Error>>(
        _ producers: some Sequence<P>
    ) -> SignalProducer<[Value], Error> {
        join(.latest, producers, emptySentinel: nil)
    }

    /// Sends the latest values of all producers as an array, once each has sent one. Sends `emptySentinel` if there are none.
    public static func combineLatest<P: SignalProducerConvertible<Value, Error>>(
        _ producers: some Sequence<P>, emptySentinel: [Value]
    ) -> SignalProducer<[Value], Error> {
        join(.latest, producers, emptySentinel: emptySentinel)
    }

    /// Sends the first values of all producers as an array, then the second ones, and so on. Completes if there are none.
    public static func zip<P: SignalProducerConvertible<Value, Error>>(
        _ producers: some Sequence<P>
    ) -> SignalProducer<[Value], Error> {
        join(.pairs, producers, emptySentinel: nil)
    }

    /// Sends the first values of all producers as an array, then the second ones, and so on. Sends `emptySentinel` if there are none.
    public static func zip<P: SignalProducerConvertible<Value, Error>>(
        _ producers: some Sequence<P>, emptySentinel: [Value]
    ) -> SignalProducer<[Value], Error> {
        join(.pairs, producers, emptySentinel: emptySentinel)
    }
}
