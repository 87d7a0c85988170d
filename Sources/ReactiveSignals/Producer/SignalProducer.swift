// SPDX-License-Identifier: MIT

/// Work that can be started, any number of times; each start has a stream of events of its own.
///
/// Nothing happens until a start. Disposing of what a start returned interrupts its stream and ends its lifetime, which cancels the work.
public struct SignalProducer<Value, Error: Swift.Error>: @unchecked Sendable {  // the core is constant
    /// The type of the stream of each start.
    public typealias ProducedSignal = Signal<Value, Error>

    let core: ProducerCore<Value, Error>

    init(_ core: ProducerCore<Value, Error>) {
        self.core = core
    }

    static func handling(_ startHandler: @escaping (Signal<Value, Error>.Observer, Lifetime) -> Void) -> SignalProducer {
        SignalProducer(HandlerCore(.inTurn, startHandler))
    }

    static func generating(_ body: @escaping GeneratorCore<Value, Error>.Body) -> SignalProducer {
        SignalProducer(GeneratorCore(body))
    }

    /// A producer whose starts run `startHandler` with an observer to send into and the lifetime of the start.
    @preconcurrency
    public init(_ startHandler: @escaping @Sendable (Signal<Value, Error>.Observer, Lifetime) -> Void) {
        self = .handling(startHandler)
    }

    /// A producer for a start handler that sends from one thread at a time by itself.
    @preconcurrency
    public static func unserialized(
        _ startHandler: @escaping @Sendable (Signal<Value, Error>.Observer, Lifetime) -> Void
    ) -> SignalProducer<Value, Error> {
        SignalProducer(HandlerCore(.unserialized, startHandler))
    }

    /// A producer whose starts observe `signal`, each from then on. Disposing of one leaves the signal alone.
    public init(_ signal: Signal<Value, Error>) {
        self = .handling({ observer, lifetime in
            if let observation = signal.observe(observer) { lifetime.disposables.insert(observation) }
        })
    }

    /// The producer of `base`.
    public init<T: SignalProducerConvertible>(_ base: T) where T.Value == Value, T.Error == Error {
        self = base.producer
    }

    /// A producer that completes without a value.
    public static var empty: SignalProducer {
        SignalProducer.generating({ _, _ in .completed })
    }

    /// A producer whose starts send nothing until they are disposed of.
    public static var never: SignalProducer {
        SignalProducer.handling({ observer, lifetime in
            lifetime.disposables.insert(unchecked: { withExtendedLifetime(observer) {} })
        })
    }
}

/// Something of which a producer can be made.
public protocol SignalProducerConvertible<Value, Error> {
    /// What the producer sends.
    associatedtype Value
    /// What the producer fails with.
    associatedtype Error: Swift.Error
    /// The producer.
    var producer: SignalProducer<Value, Error> { get }
}

/// A ``SignalProducer``, for extensions that constrain its types.
public protocol SignalProducerProtocol<Value, Error> {
    /// What the producer sends.
    associatedtype Value
    /// What the producer fails with.
    associatedtype Error: Swift.Error
    /// The producer itself.
    var producer: SignalProducer<Value, Error> { get }
}

extension SignalProducer: SignalProducerConvertible, SignalProducerProtocol {
    /// The producer itself.
    public var producer: SignalProducer { self }
}

extension Result: SignalProducerConvertible {
    /// A producer of the success, or one that fails with the failure.
    public var producer: SignalProducer<Success, Failure> { SignalProducer(result: self) }

    /// The type of the success.
    public typealias Value = Success

    /// The type of the failure.
    public typealias Error = Failure
}
