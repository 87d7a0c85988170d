// SPDX-License-Identifier: MIT

extension SignalProducer {
    /// Starts the work after `setup` has seen its signal and what interrupts it.
    ///
    /// `setup` runs before any effect and any event. The work is not started if `setup` disposes of the handle. Whoever wants the signal
    /// afterwards observes or keeps it; otherwise the work is disposed of.
    /// - Returns: what `setup` returns.
    @discardableResult
    public func startWithSignal<R>(_ setup: (_ signal: Signal<Value, Error>, _ interruptHandle: any Disposable) -> R) -> R {
        let instance = core.makeInstance()
        let result = setup(instance.signal, instance.handle)
        instance.runUnlessDisposed()
        return result
    }

    /// Starts the work and sends its events to `observer`.
    /// - Returns: what interrupts the start. Dropping it does not.
    @discardableResult
    public func start(_ observer: Signal<Value, Error>.Observer = .init()) -> any Disposable {
        core.start(observer)
    }

    /// Starts the work and calls `action` with every event.
    /// - Returns: what interrupts the start. Dropping it does not.
    @discardableResult
    @preconcurrency
    public func start(_ action: @escaping @Sendable (Signal<Value, Error>.Event) -> Void) -> any Disposable {
        core.start(Signal.Observer(action))
    }

    /// Starts the work and calls `action` with every value and with the failure.
    /// - Returns: what interrupts the start. Dropping it does not.
    @discardableResult
    @preconcurrency
    public func startWithResult(_ action: @escaping @Sendable (Result<Value, Error>) -> Void) -> any Disposable {
        core.start(
            Signal.Observer(
                Sink(
                    value: { action(.success($0)) },
                    end: { end in
                        if case .failed(let error) = end { action(.failure(error)) }
                    })))
    }

    /// Starts the work and calls `action` with the failure.
    /// - Returns: what interrupts the start. Dropping it does not.
    @discardableResult
    @preconcurrency
    public func startWithFailed(_ action: @escaping @Sendable (Error) -> Void) -> any Disposable {
        startUnchecked({ event in
            if case .failed(let error) = event { action(error) }
        })
    }

    /// Starts the work and calls `action` on completion.
    /// - Returns: what interrupts the start. Dropping it does not.
    @discardableResult
    @preconcurrency
    public func startWithCompleted(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        startUnchecked({ event in
            if case .completed = event { action() }
        })
    }

    /// Starts the work and calls `action` on an interruption.
    /// - Returns: what interrupts the start. Dropping it does not.
    @discardableResult
    @preconcurrency
    public func startWithInterrupted(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        startUnchecked({ event in
            if case .interrupted = event { action() }
        })
    }

    @discardableResult
    func startUnchecked(_ action: @escaping (Signal<Value, Error>.Event) -> Void) -> any Disposable {
        core.start(Signal.Observer.unchecked(action))
    }
}

extension SignalProducer where Error == Never {
    /// Starts the work and calls `action` with every value.
    /// - Returns: what interrupts the start. Dropping it does not.
    @discardableResult
    @preconcurrency
    public func startWithValues(_ action: @escaping @Sendable (Value) -> Void) -> any Disposable {
        core.start(Signal.Observer(Sink(value: action, end: { _ in })))
    }
}
