// SPDX-License-Identifier: MIT

extension Signal where Value == Bool {
    /// Sends the opposite of each value.
    public func negate() -> Signal<Value, Error> {
        applying(Operators.map { !$0 })
    }
}

extension SignalProducer where Value == Bool {
    /// Sends the opposite of each value.
    public func negate() -> SignalProducer<Value, Error> {
        applying(Operators.map { !$0 })
    }
}

extension Signal where Value == Bool {
    /// Sends whether the latest values of both are true.
    public func and(_ other: Signal<Value, Error>) -> Signal<Value, Error> {
        Signal.all([self, other])
    }

    /// Sends whether one of the latest values of both is true.
    public func or(_ other: Signal<Value, Error>) -> Signal<Value, Error> {
        Signal.any([self, other])
    }

    /// Sends whether the latest values of all are true.
    public static func all(_ booleans: some Sequence<Signal<Value, Error>>) -> Signal<Value, Error> {
        combineLatest(booleans).applying(Operators.map { $0.allSatisfy { $0 } })
    }

    /// Sends whether one of the latest values of all is true.
    public static func any(_ booleans: some Sequence<Signal<Value, Error>>) -> Signal<Value, Error> {
        combineLatest(booleans).applying(Operators.map { $0.contains(true) })
    }

    /// Sends whether the latest values of all are true.
    public static func all(_ booleans: Signal<Value, Error>...) -> Signal<Value, Error> {
        all(booleans)
    }

    /// Sends whether one of the latest values of all is true.
    public static func any(_ booleans: Signal<Value, Error>...) -> Signal<Value, Error> {
        any(booleans)
    }
}

extension SignalProducer where Value == Bool {
    /// Sends whether the latest values of both are true.
    public func and(_ other: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.all([self, other])
    }

    /// Sends whether the latest values of both are true.
    public func and(_ other: some SignalProducerConvertible<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.all([self, other.producer])
    }

    /// Sends whether one of the latest values of both is true.
    public func or(_ other: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.any([self, other])
    }

    /// Sends whether one of the latest values of both is true.
    public func or(_ other: some SignalProducerConvertible<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.any([self, other.producer])
    }

    /// Sends whether the latest values of all are true.
    public static func all<P: SignalProducerConvertible<Value, Error>>(_ booleans: some Sequence<P>) -> SignalProducer<Value, Error> {
        combineLatest(booleans, emptySentinel: []).applying(Operators.map { $0.allSatisfy { $0 } })
    }

    /// Sends whether one of the latest values of all is true.
    public static func any<P: SignalProducerConvertible<Value, Error>>(_ booleans: some Sequence<P>) -> SignalProducer<Value, Error> {
        combineLatest(booleans, emptySentinel: []).applying(Operators.map { $0.contains(true) })
    }

    /// Sends whether the latest values of all are true.
    public static func all(_ booleans: SignalProducer<Value, Error>...) -> SignalProducer<Value, Error> {
        all(booleans)
    }

    /// Sends whether one of the latest values of all is true.
    public static func any(_ booleans: SignalProducer<Value, Error>...) -> SignalProducer<Value, Error> {
        any(booleans)
    }
}
