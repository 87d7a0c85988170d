// SPDX-License-Identifier: MIT

extension Operators {
    static func materialize<V, E>() -> Transform<V, E, Signal<V, E>.Event, Never> {
        { sink, _ in
            { event in
                sink(.value(event))
                switch event {
                case .value: break
                case .failed, .completed: sink(.completed)
                case .interrupted: sink(.interrupted)
                }
            }
        }
    }

    static func materializeResults<V, E>() -> Transform<V, E, Result<V, E>, Never> {
        { sink, _ in
            { event in
                switch event {
                case .value(let value): sink(.value(.success(value)))
                case .failed(let error):
                    sink(.value(.failure(error)))
                    sink(.completed)
                case .completed: sink(.completed)
                case .interrupted: sink(.interrupted)
                }
            }
        }
    }

    static func dematerialize<V: EventProtocol>() -> Transform<V, Never, V.Value, V.Error> {
        { sink, _ in
            { event in
                switch event {
                case .value(let value): sink(value.event)
                case .failed(let never): absurd(never)
                case .completed: sink(.completed)
                case .interrupted: sink(.interrupted)
                }
            }
        }
    }

    static func dematerializeResults<V, E>() -> Transform<Result<V, E>, Never, V, E> {
        { sink, _ in
            { event in
                switch event {
                case .value(.success(let value)): sink(.value(value))
                case .value(.failure(let error)): sink(.failed(error))
                case .failed(let never): absurd(never)
                case .completed: sink(.completed)
                case .interrupted: sink(.interrupted)
                }
            }
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
