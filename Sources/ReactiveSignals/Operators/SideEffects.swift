// SPDX-License-Identifier: MIT

extension Operators {
    /// What the actions of `on` do with an event: `event` first, then the one for the case, then `terminated`; all before downstream.
    static func on<V, E>(
        event observe: ((Signal<V, E>.Event) -> Void)?, failed: ((E) -> Void)?, completed: (() -> Void)?, interrupted: (() -> Void)?,
        terminated: (() -> Void)?, disposed: (() -> Void)?, value: ((V) -> Void)?
    ) -> Transform<V, E, V, E> {
        { sink, _ in
            Sink(
                value: { sent in
                    observe?(.value(sent))
                    value?(sent)
                    sink.value(sent)
                },
                end: { end in
                    observe?(Signal<V, E>.Event(end))
                    switch end {
                    case .failed(let error): failed?(error)
                    case .completed: completed?()
                    case .interrupted: interrupted?()
                    }
                    terminated?()
                    sink.end(end)
                    disposed?()
                })
        }
    }
}

extension Signal {
    /// Calls actions for events on their way; those left out do nothing.
    ///
    /// For each event `event` comes first, then the action for its case, then `terminated` for an end, then the observers. `disposed` runs
    /// when the resulting signal's lifetime ends, after its end was handed out.
    @preconcurrency
    public func on(
        event: (@Sendable (Event) -> Void)? = nil, failed: (@Sendable (Error) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil, interrupted: (@Sendable () -> Void)? = nil,
        terminated: (@Sendable () -> Void)? = nil, disposed: (@Sendable () -> Void)? = nil, value: (@Sendable (Value) -> Void)? = nil
    ) -> Signal<Value, Error> {
        let transform = Operators.on(
            event: event, failed: failed, completed: completed, interrupted: interrupted, terminated: terminated, disposed: nil,
            value: value)
        return applying { sink, lifetime in
            if let disposed { lifetime().disposables.insert(unchecked: disposed) }
            return transform(sink, lifetime)
        }
    }
}

extension SignalProducer {
    /// Calls actions for the events of each start on their way; those left out do nothing.
    ///
    /// `starting` runs before the work starts, `started` after it. For each event `event` comes first, then the action for its case, then
    /// `terminated` for an end, then the observer; `disposed` runs after the end was handed out.
    @preconcurrency
    public func on(
        starting: (@Sendable () -> Void)? = nil, started: (@Sendable () -> Void)? = nil,
        event: (@Sendable (ProducedSignal.Event) -> Void)? = nil, failed: (@Sendable (Error) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil, interrupted: (@Sendable () -> Void)? = nil,
        terminated: (@Sendable () -> Void)? = nil, disposed: (@Sendable () -> Void)? = nil, value: (@Sendable (Value) -> Void)? = nil
    ) -> SignalProducer<Value, Error> {
        let transform = Operators.on(
            event: event, failed: failed, completed: completed, interrupted: interrupted, terminated: terminated, disposed: disposed,
            value: value)
        return SignalProducer(StartingCore(TransformedCore(core, transform), starting: starting, started: started))
    }
}

/// A producer that tells when it is started.
private final class StartingCore<Value, Error: Swift.Error>: ProducerCore<Value, Error>, @unchecked Sendable {  // constants
    private let source: ProducerCore<Value, Error>
    private let starting: (() -> Void)?
    private let started: (() -> Void)?

    init(_ source: ProducerCore<Value, Error>, starting: (() -> Void)?, started: (() -> Void)?) {
        self.source = source
        self.starting = starting
        self.started = started
    }

    override func prepare(_ scope: StartScope, _ sink: Sink<Value, Error>) -> PreparedStart {
        let prepared = source.prepare(scope, sink)
        let (starting, started) = (starting, started)
        return PreparedStart(
            run: {
                starting?()
                prepared.run()
                started?()
            }, input: prepared.input)
    }
}
