// SPDX-License-Identifier: MIT

extension Signal {
    /// Sends the values of both signals. Completes when both have completed.
    public func merge(with other: Signal<Value, Error>) -> Signal<Value, Error> {
        Signal.merge(self, other)
    }

    /// Sends the values of all signals. Completes when all have completed.
    public static func merge<Seq: Sequence>(_ signals: Seq) -> Signal<Value, Error> where Seq.Element == Signal<Value, Error> {
        Signal(.inTurn) { observer, lifetime in
            let signals = Array(signals)
            let flattening = ConcurrentFlattening(limit: .max, observer, lifetime)
            for signal in signals { flattening.add(signal.producer.core) }
            flattening.complete()
        }
    }

    /// Sends the values of all signals. Completes when all have completed.
    public static func merge(_ signals: Signal<Value, Error>...) -> Signal<Value, Error> {
        merge(signals)
    }
}

extension SignalProducer {
    /// Sends the values of both producers. Completes when both have completed.
    public func merge(with other: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        SignalProducer.merge([self, other])
    }

    /// Sends the values of both producers. Completes when both have completed.
    public func merge(with other: some SignalProducerConvertible<Value, Error>) -> SignalProducer<Value, Error> {
        merge(with: other.producer)
    }

    /// Sends the values of all producers, which are started in this order. Completes when all have completed.
    public static func merge<Seq: Sequence>(
        _ producers: Seq
    ) -> SignalProducer<Value, Error> where Seq.Element: SignalProducerConvertible<Value, Error> {
        SignalProducer<Seq.Element, Never>(producers).flatten(.merge)
    }

    /// Sends the values of both producers, which are started in this order. Completes when both have completed.
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        merge([a.producer, b.producer])
    }

    /// Sends the values of all producers, which are started in this order. Completes when all have completed.
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>,
        _ c: some SignalProducerConvertible<Value, Error>, _ others: SignalProducer<Value, Error>...
    ) -> SignalProducer<Value, Error> {
        merge([a.producer, b.producer, c.producer] + others)
    }
}
