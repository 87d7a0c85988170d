// SPDX-License-Identifier: MIT

/// What an operator does with a value that needs no state: hands on none, one or several values in its place.
typealias ValueStep<Value, U> = (Value, (U) -> Void) -> Void

/// A producer behind operators that only look at values. A row of them is one stage, since events are costly to take apart and make again.
final class PassedCore<Value, U, Error: Swift.Error>: ProducerCore<U, Error>, @unchecked Sendable {  // constants
    private let source: ProducerCore<Value, Error>
    private let step: ValueStep<Value, U>

    init(_ source: ProducerCore<Value, Error>, _ step: @escaping ValueStep<Value, U>) {
        self.source = source
        self.step = step
    }

    override func prepare(_ scope: StartScope, _ sink: @escaping Sink<U, Error>) -> PreparedStart {
        let step = step
        return source.prepare(scope) { event in
            switch event {
            case .value(let value): step(value) { sink(.value($0)) }
            case .failed(let error): sink(.failed(error))
            case .completed: sink(.completed)
            case .interrupted: sink(.interrupted)
            }
        }
    }

    override func passing<V>(_ next: @escaping ValueStep<U, V>) -> ProducerCore<V, Error> {
        let step = step
        return PassedCore<Value, V, Error>(source) { value, send in
            step(value) { next($0, send) }
        }
    }
}

extension SignalProducer {
    /// The producer behind an operator that only looks at values.
    func passing<U>(_ step: @escaping ValueStep<Value, U>) -> SignalProducer<U, Error> {
        SignalProducer<U, Error>(core.passing(step))
    }
}
