// SPDX-License-Identifier: MIT

import Synchronization

/// A producer that sends everything while it is being started: a value, a sequence, an error.
final class GeneratorCore<Value, Error: Swift.Error>: ProducerCore<Value, Error>, @unchecked Sendable {  // constants
    /// Sends the values, looking at the scope after each, and returns the end.
    typealias Body = (Sink<Value, Error>, StartScope) -> StreamEnd<Error>

    private let body: Body

    init(_ body: @escaping Body) {
        self.body = body
    }

    /// Nothing can end the start early: what would dispose of it is returned when everything was sent.
    override func start(_ observer: Signal<Value, Error>.Observer) -> any Disposable {
        observer.send(end: body(observer.asSink, .unending))
        return FinishedStart()
    }

    override func prepare(_ scope: StartScope, _ sink: Sink<Value, Error>) -> PreparedStart {
        let run = Run(scope, sink, body)
        scope.upstream = run
        return PreparedStart(run: run.run, input: nil)
    }

    private final class Run: Upstream {
        private let isTaken = Synchronization.Atomic<Bool>(false)
        // Whoever takes the run first owns these.
        private var sink: Sink<Value, Error>?
        private var body: Body?
        private var scope: StartScope?

        init(_ scope: StartScope, _ sink: Sink<Value, Error>, _ body: @escaping Body) {
            self.scope = scope
            self.sink = sink
            self.body = body
        }

        func run() {
            guard take(), let sink, let body, let scope else { return }
            let end = body(sink, scope)
            sink.end(scope.hasEnded ? .interrupted : end)
            letGo()
        }

        /// Before the run, here is the interruption; during it, the run sees that its scope has ended.
        override func interrupt() {
            guard take() else { return }
            sink?.end(.interrupted)
            letGo()
        }

        private func letGo() {
            sink = nil
            body = nil
            scope = nil
        }

        private func take() -> Bool {
            !isTaken.exchange(true, ordering: .acquiringAndReleasing)
        }
    }
}

/// What the start of a producer returns that has sent everything.
private final class FinishedStart: Disposable {
    private let disposed = Synchronization.Atomic<Bool>(false)

    var isDisposed: Bool { disposed.load(ordering: .acquiring) }

    func dispose() { disposed.store(true, ordering: .releasing) }
}
