// SPDX-License-Identifier: MIT

extension Operators {
    static func filter<V, E>(_ isIncluded: @escaping (V) -> Bool) -> Transform<V, E, V, E> {
        { sink, _ in
            { event in
                if case .value(let value) = event, !isIncluded(value) { return }
                sink(event)
            }
        }
    }

    static func compactMap<V, E, U>(_ transform: @escaping (V) -> U?) -> Transform<V, E, U, E> {
        { sink, _ in
            { event in
                switch event {
                case .value(let value):
                    if let transformed = transform(value) { sink(.value(transformed)) }
                case .failed(let error): sink(.failed(error))
                case .completed: sink(.completed)
                case .interrupted: sink(.interrupted)
                }
            }
        }
    }
}

extension Signal {
    /// Sends the values for which `isIncluded` is true.
    @preconcurrency
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Error> {
        applying(Operators.filter(isIncluded))
    }

    /// Sends the results of `transform` that are not nil.
    @preconcurrency
    public func compactMap<U>(_ transform: @escaping @Sendable (Value) -> U?) -> Signal<U, Error> {
        applying(Operators.compactMap(transform))
    }
}

extension SignalProducer {
    /// Sends the values for which `isIncluded` is true.
    @preconcurrency
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> SignalProducer<Value, Error> {
        passing { value, send in
            if isIncluded(value) { send(value) }
        }
    }

    /// Sends the results of `transform` that are not nil.
    @preconcurrency
    public func compactMap<U>(_ transform: @escaping @Sendable (Value) -> U?) -> SignalProducer<U, Error> {
        passing { value, send in
            if let transformed = transform(value) { send(transformed) }
        }
    }
}

extension Signal where Value: OptionalProtocol {
    /// Sends the values that are not nil, unwrapped.
    public func skipNil() -> Signal<Value.Wrapped, Error> {
        applying(Operators.compactMap { $0.optional })
    }
}

extension SignalProducer where Value: OptionalProtocol {
    /// Sends the values that are not nil, unwrapped.
    public func skipNil() -> SignalProducer<Value.Wrapped, Error> {
        passing { value, send in
            if let wrapped = value.optional { send(wrapped) }
        }
    }
}

/// An optional, for extensions of types that hold one.
public protocol OptionalProtocol: ExpressibleByNilLiteral {
    /// The type of what it may hold.
    associatedtype Wrapped
    /// Holds `value`.
    init(reconstructing value: Wrapped?)
    /// The optional itself.
    var optional: Wrapped? { get }
}

extension Optional: OptionalProtocol {
    /// Holds `value`.
    public init(reconstructing value: Wrapped?) {
        self = value
    }

    /// The optional itself.
    public var optional: Wrapped? { self }
}
