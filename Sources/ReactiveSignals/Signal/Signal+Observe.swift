// SPDX-License-Identifier: MIT

extension Signal {
    /// Attaches an observer. An event that is being handed out may still reach it after it was detached.
    /// - Returns: what detaches it; nil if the signal has terminated, in which case the observer got an interruption.
    @discardableResult
    public func observe(_ observer: Observer) -> (any Disposable)? {
        core.attach(observer)
    }

    /// Calls `action` with every event from now on.
    @discardableResult
    @preconcurrency
    public func observe(_ action: @escaping @Sendable (Event) -> Void) -> (any Disposable)? {
        core.attach(Observer(action))
    }

    /// Calls `action` with every value and with the failure.
    @discardableResult
    @preconcurrency
    public func observeResult(_ action: @escaping @Sendable (Result<Value, Error>) -> Void) -> (any Disposable)? {
        core.attach(
            Observer(
                Sink(
                    value: { action(.success($0)) },
                    end: { end in
                        if case .failed(let error) = end { action(.failure(error)) }
                    })))
    }

    /// Calls `action` with the failure.
    @discardableResult
    @preconcurrency
    public func observeFailed(_ action: @escaping @Sendable (Error) -> Void) -> (any Disposable)? {
        core.attach(
            Observer.unchecked({ event in
                if case .failed(let error) = event { action(error) }
            }))
    }

    /// Calls `action` on completion.
    @discardableResult
    @preconcurrency
    public func observeCompleted(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        core.attach(
            Observer.unchecked({ event in
                if case .completed = event { action() }
            }))
    }

    /// Calls `action` on an interruption; at once if the signal has terminated.
    @discardableResult
    @preconcurrency
    public func observeInterrupted(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        core.attach(
            Observer.unchecked({ event in
                if case .interrupted = event { action() }
            }))
    }

    /// Observes with an action that is called for one event at a time.
    @discardableResult
    func observeUnchecked(_ action: @escaping (Event) -> Void) -> (any Disposable)? {
        core.attach(Observer.unchecked(action))
    }
}

extension Signal where Error == Never {
    /// Calls `action` with every value.
    @discardableResult
    @preconcurrency
    public func observeValues(_ action: @escaping @Sendable (Value) -> Void) -> (any Disposable)? {
        core.attach(
            Observer(Sink(value: action, end: { _ in })))
    }
}
