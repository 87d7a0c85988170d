// SPDX-License-Identifier: MIT

extension SignalProducer {
    /// Drops the values and starts `replacement` on completion; `convert` gives the error its type.
    func thenUnchecked<U, F>(
        _ replacement: SignalProducer<U, F>, _ convert: @escaping (Error) -> F
    ) -> SignalProducer<U, F> {
        .handling { observer, lifetime in
            let (handle, run) = core.connect(
                .unchecked { event in
                    switch event {
                    case .value: break
                    case .failed(let error): observer.send(error: convert(error))
                    case .completed:
                        if !lifetime.hasEnded { replacement.start(into: observer, during: lifetime) }
                    case .interrupted: observer.sendInterrupted()
                    }
                })
            lifetime.disposables.insert(handle)
            if !handle.isDisposed { run() }
        }
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then<U>(_ replacement: SignalProducer<U, Never>) -> SignalProducer<U, Error> {
        thenUnchecked(replacement.promoteError(Error.self)) { $0 }
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Replacement.Value, Error> where Replacement.Error == Never {
        then(replacement.producer)
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then<U>(_ replacement: SignalProducer<U, Error>) -> SignalProducer<U, Error> {
        thenUnchecked(replacement) { $0 }
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Replacement.Value, Error> where Replacement.Error == Error {
        then(replacement.producer)
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then(_ replacement: SignalProducer<Value, Error>) -> SignalProducer<Value, Error> {
        thenUnchecked(replacement) { $0 }
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Value, Error> where Replacement.Value == Value, Replacement.Error == Error {
        then(replacement.producer)
    }
}

extension SignalProducer where Error == Never {
    /// Drops the values, and starts `replacement` on completion.
    public func then<U, F>(_ replacement: SignalProducer<U, F>) -> SignalProducer<U, F> {
        thenUnchecked(replacement, absurd)
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Replacement.Value, Replacement.Error> {
        thenUnchecked(replacement.producer, absurd)
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then<U>(_ replacement: SignalProducer<U, Never>) -> SignalProducer<U, Never> {
        thenUnchecked(replacement, absurd)
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Replacement.Value, Never> where Replacement.Error == Never {
        thenUnchecked(replacement.producer, absurd)
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then(_ replacement: SignalProducer<Value, Never>) -> SignalProducer<Value, Never> {
        thenUnchecked(replacement, absurd)
    }

    /// Drops the values, and starts `replacement` on completion.
    public func then<Replacement: SignalProducerConvertible>(
        _ replacement: Replacement
    ) -> SignalProducer<Value, Never> where Replacement.Value == Value, Replacement.Error == Never {
        thenUnchecked(replacement.producer, absurd)
    }
}
