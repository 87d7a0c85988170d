// SPDX-License-Identifier: MIT

extension Operators {
    static func materialize<V, E>() -> Transform<V, E, Signal<V, E>.Event, Never> {
        { sink, _ in
            Sink(
                value: { sink.value(.value($0)) },
                end: { end in
                    sink.value(Signal<V, E>.Event(end))
                    if case .interrupted = end { sink.end(.interrupted) } else { sink.end(.completed) }
                })
        }
    }

    static func materializeResults<V, E>() -> Transform<V, E, Result<V, E>, Never> {
        { sink, _ in
            Sink(
                value: { sink.value(.success($0)) },
                end: { end in
                    switch end {
                    case .failed(let error):
                        sink.value(.failure(error))
                        sink.end(.completed)
                    case .completed: sink.end(.completed)
                    case .interrupted: sink.end(.interrupted)
                    }
                })
        }
    }

    static func dematerialize<V: EventProtocol>() -> Transform<V, Never, V.Value, V.Error> {
        { sink, _ in
            let sink = sink.untilEnd
            return Sink(value: { sink($0.event) }, end: sink.endWithoutFailure)
        }
    }

    static func dematerializeResults<V, E>() -> Transform<Result<V, E>, Never, V, E> {
        { sink, _ in
            let sink = sink.untilEnd
            return Sink(
                value: { result in
                    switch result {
                    case .success(let value): sink.value(value)
                    case .failure(let error): sink.end(.failed(error))
                    }
                }, end: sink.endWithoutFailure)
        }
    }
}

extension Signal {
    /// Sends every event as a value, then ends: completed after a completion or a failure, interrupted after an interruption.
    public func materialize() -> Signal<Signal<Value, Error>.Event, Never> {
        applying(Operators.materialize())
    }

    /// Sends every value and the failure as results, then ends.
    public func materializeResults() -> Signal<Result<Value, Error>, Never> {
        applying(Operators.materializeResults())
    }
}

extension SignalProducer {
    /// Sends every event as a value, then ends: completed after a completion or a failure, interrupted after an interruption.
    public func materialize() -> SignalProducer<Signal<Value, Error>.Event, Never> {
        applying(Operators.materialize())
    }

    /// Sends every value and the failure as results, then ends.
    public func materializeResults() -> SignalProducer<Result<Value, Error>, Never> {
        applying(Operators.materializeResults())
    }
}

extension Signal where Value: EventProtocol, Error == Never {
    /// Sends the events that are its values; a terminal one among them ends the stream.
    public func dematerialize() -> Signal<Value.Value, Value.Error> {
        applying(Operators.dematerialize())
    }
}

extension SignalProducer where Value: EventProtocol, Error == Never {
    /// Sends the events that are its values; a terminal one among them ends the stream.
    public func dematerialize() -> SignalProducer<Value.Value, Value.Error> {
        applying(Operators.dematerialize())
    }
}

extension Signal where Error == Never {
    /// Sends the successes among the results that are its values; the first failure ends the stream.
    public func dematerializeResults<Success, Failure>() -> Signal<Success, Failure> where Value == Result<Success, Failure> {
        applying(Operators.dematerializeResults())
    }
}

extension SignalProducer where Error == Never {
    /// Sends the successes among the results that are its values; the first failure ends the stream.
    public func dematerializeResults<Success, Failure>() -> SignalProducer<Success, Failure> where Value == Result<Success, Failure> {
        applying(Operators.dematerializeResults())
    }
}

extension Sink {
    /// Takes the end of a stream that never fails.
    fileprivate func endWithoutFailure(_ end: StreamEnd<Never>) {
        switch end {
        case .failed(let never): switch never {}
        case .completed: self.end(.completed)
        case .interrupted: self.end(.interrupted)
        }
    }
}
