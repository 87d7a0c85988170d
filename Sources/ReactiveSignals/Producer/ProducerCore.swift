// SPDX-License-Identifier: MIT

/// An operator on one stream: given where its events go, where the events of its source go.
///
/// The state of an operator lives in the closures of the sink it returns. It may ask for a lifetime that ends with the stream it makes.
typealias Transform<Value, Error: Swift.Error, U, F: Swift.Error> = (Sink<U, F>, () -> Lifetime) -> Sink<Value, Error>

/// A start that is connected but does not run yet.
struct PreparedStart {
    let run: () -> Void
    /// The observer that sends, if there is one.
    let input: AnyObject?
}

/// A start whose events can be observed by several.
struct ProducerInstance<Value, Error: Swift.Error> {
    let signal: Signal<Value, Error>
    let handle: StartHandle
    let run: () -> Void

    func runUnlessDisposed() {
        guard !handle.isDisposed else { return }
        withExtendedLifetime(signal) { run() }
    }
}

/// What a ``SignalProducer`` does when it is started.
class ProducerCore<Value, Error: Swift.Error>: @unchecked Sendable {  // constants
    /// Connects a start to `sink`, which is called for one event at a time and drops what follows a terminal one.
    func prepare(_ scope: StartScope, _ sink: Sink<Value, Error>) -> PreparedStart {
        preconditionFailure("Every kind of producer prepares its starts")
    }

    func start(_ observer: Signal<Value, Error>.Observer) -> any Disposable {
        let (handle, run) = connect(observer)
        run()
        return handle
    }

    /// Connects a start to `observer` without running it.
    final func connect(_ observer: Signal<Value, Error>.Observer) -> (handle: StartHandle, run: () -> Void) {
        let gate = Gate(observer)
        let prepared = prepare(gate, gate.sink)
        return (StartHandle(gate, input: prepared.input), prepared.run)
    }

    func makeInstance() -> ProducerInstance<Value, Error> {
        let core = Signal<Value, Error>.Core(.unserialized, hasShell: true)
        let gate = Gate(Signal<Value, Error>.Observer(sendingInto: core))
        let prepared = prepare(gate, gate.sink)
        core.disposables.insert(unchecked: gate.interrupt)
        return ProducerInstance(signal: Signal(core), handle: StartHandle(gate, input: prepared.input), run: prepared.run)
    }
}

/// A producer with a start handler of the user's.
final class HandlerCore<Value, Error: Swift.Error>: ProducerCore<Value, Error>, @unchecked Sendable {  // constants
    private let delivery: Signal<Value, Error>.Delivery
    private let handler: (Signal<Value, Error>.Observer, Lifetime) -> Void

    init(_ delivery: Signal<Value, Error>.Delivery, _ handler: @escaping (Signal<Value, Error>.Observer, Lifetime) -> Void) {
        self.delivery = delivery
        self.handler = handler
    }

    override func prepare(_ scope: StartScope, _ sink: Sink<Value, Error>) -> PreparedStart {
        let core = Signal<Value, Error>.Core(delivery, hasShell: false)
        _ = core.attach(Signal<Value, Error>.Observer(sink))
        scope.upstream = core
        return prepared(core)
    }

    override func start(_ observer: Signal<Value, Error>.Observer) -> any Disposable {
        let core = Signal<Value, Error>.Core(delivery, hasShell: false)
        _ = core.attach(observer)
        let prepared = prepared(core)
        prepared.run()
        return StartHandle(core, input: prepared.input)
    }

    override func makeInstance() -> ProducerInstance<Value, Error> {
        let core = Signal<Value, Error>.Core(delivery, hasShell: true)
        let prepared = prepared(core)
        return ProducerInstance(signal: Signal(core), handle: StartHandle(core, input: prepared.input), run: prepared.run)
    }

    private func prepared(_ core: Signal<Value, Error>.Core) -> PreparedStart {
        let input = Signal<Value, Error>.Observer(sendingInto: core)
        let handler = handler
        return PreparedStart(run: { handler(input, Lifetime(core.disposables)) }, input: input)
    }
}

/// A producer behind an operator on one stream.
final class TransformedCore<Value, Error: Swift.Error, U, F: Swift.Error>: ProducerCore<U, F>, @unchecked Sendable {  // constants
    private let source: ProducerCore<Value, Error>
    private let transform: Transform<Value, Error, U, F>

    init(_ source: ProducerCore<Value, Error>, _ transform: @escaping Transform<Value, Error, U, F>) {
        self.source = source
        self.transform = transform
    }

    override func prepare(_ scope: StartScope, _ sink: Sink<U, F>) -> PreparedStart {
        source.prepare(scope, transform(sink, { scope.lifetime }))
    }
}
