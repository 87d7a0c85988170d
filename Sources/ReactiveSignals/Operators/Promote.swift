// SPDX-License-Identifier: MIT

extension Signal where Error == Never {
    /// The same stream, with a type of errors that it never fails with.
    public func promoteError<F>(_: F.Type = F.self) -> Signal<Value, F> {
        applying(Operators.mapError(absurd))
    }

    /// The same stream.
    public func promoteError(_: Error.Type = Error.self) -> Signal<Value, Error> {
        self
    }
}

extension SignalProducer where Error == Never {
    /// The same stream, with a type of errors that it never fails with.
    public func promoteError<F>(_: F.Type = F.self) -> SignalProducer<Value, F> {
        applying(Operators.mapError(absurd))
    }

    /// The same stream.
    public func promoteError(_: Error.Type = Error.self) -> SignalProducer<Value, Error> {
        self
    }
}

extension Signal where Value == Never {
    /// The same stream, with a type of values of which it never sends one.
    public func promoteValue<U>(_: U.Type = U.self) -> Signal<U, Error> {
        applying(Operators.map(absurd))
    }

    /// The same stream.
    public func promoteValue(_: Value.Type = Value.self) -> Signal<Value, Error> {
        self
    }
}

extension SignalProducer where Value == Never {
    /// The same stream, with a type of values of which it never sends one.
    public func promoteValue<U>(_: U.Type = U.self) -> SignalProducer<U, Error> {
        applying(Operators.map(absurd))
    }

    /// The same stream.
    public func promoteValue(_: Value.Type = Value.self) -> SignalProducer<Value, Error> {
        self
    }
}
