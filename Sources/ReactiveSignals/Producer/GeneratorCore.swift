// SPDX-License-Identifier: MIT

import Synchronization

/// A producer that sends everything while it is being started: a value, a sequence, an error.
final class GeneratorCore<Value, Error: Swift.Error>: ProducerCore<Value, Error>, @unchecked Sendable {  // constants
    /// Sends the values, looking at the scope after each, and returns the end.
    typealias Body = (Sink<Value, Error>, StartScope) -> Signal<Value, Error>.Event

    private let body: Body

    init(_ body: @escaping Body) {
        self.body = body
    }

    override func prepare(_ scope: StartScope, _ sink: @escaping Sink<Value, Error>) -> PreparedStart {
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

        init(_ scope: StartScope, _ sink: @escaping Sink<Value, Error>, _ body: @escaping Body) {
            self.scope = scope
            self.sink = sink
            self.body = body
        }

        func run() {
            guard take(), let sink, let body, let scope else { return }
            let end = body(sink, scope)
            sink(scope.hasEnded ? .interrupted : end)
            letGo()
        }

        /// Before the run, here is the interruption; during it, the run sees that its scope has ended.
        override func interrupt() {
            guard take() else { return }
            sink?(.interrupted)
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
