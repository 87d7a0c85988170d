// SPDX-License-Identifier: MIT

extension Operators {
    static func filter<V, E>(_ isIncluded: @escaping (V) -> Bool) -> Transform<V, E, V, E> {
        { sink, _ in
            Sink(
                value: { value in
                    if isIncluded(value) { sink.value(value) }
                }, end: sink.end)
        }
    }

    static func compactMap<V, E, U>(_ transform: @escaping (V) -> U?) -> Transform<V, E, U, E> {
        { sink, _ in
            Sink(
                value: { value in
                    if let transformed = transform(value) { sink.value(transformed) }
                }, end: sink.end)
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
        applying(Operators.filter(isIncluded))
    }

    /// Sends the results of `transform` that are not nil.
    @preconcurrency
    public func compactMap<U>(_ transform: @escaping @Sendable (Value) -> U?) -> SignalProducer<U, Error> {
        applying(Operators.compactMap(transform))
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
        applying(Operators.compactMap { $0.optional })
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
