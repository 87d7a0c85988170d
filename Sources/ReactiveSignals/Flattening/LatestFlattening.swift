// SPDX-License-Identifier: MIT

/// Runs the inner stream that came last.
final class LatestFlattening<Value, Error: Swift.Error>: Flattening, @unchecked Sendable {  // the state has its lock
    private struct State {
        var current: UInt64 = 0
        var isRunning = false
        var isComplete = false
    }

    private let observer: Signal<Value, Error>.Observer
    private let inner = SerialDisposable()
    private let state = Guarded(State())

    init(_ observer: Signal<Value, Error>.Observer, _ lifetime: Lifetime) {
        self.observer = observer
        lifetime.disposables.insert(inner)
    }

    func add(_ core: ProducerCore<Value, Error>) {
        let number = state.withLock { state in
            state.current += 1
            state.isRunning = true
            return state.current
        }
        let (handle, run) = core.connect(
            .unchecked { [self] event in
                switch event {
                case .value, .failed: observer.send(event)
                case .completed, .interrupted: ended(number)
                }
            })
        inner.inner = handle
        if !handle.isDisposed { run() }
    }

    func complete() {
        let isOver = state.withLock { state in
            state.isComplete = true
            return !state.isRunning
        }
        if isOver { observer.sendCompleted() }
    }

    /// The end of one that was replaced does not count.
    private func ended(_ number: UInt64) {
        let isOver = state.withLock { state in
            guard state.current == number else { return false }
            state.isRunning = false
            return state.isComplete
        }
        if isOver { observer.sendCompleted() }
    }
}
