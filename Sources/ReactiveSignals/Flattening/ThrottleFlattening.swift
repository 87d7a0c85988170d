// SPDX-License-Identifier: MIT

/// Ignores inner streams that come while one runs.
final class ThrottleFlattening<Value, Error: Swift.Error>: Flattening, @unchecked Sendable {  // the state has its lock
    private let observer: Signal<Value, Error>.Observer
    private let inner = SerialDisposable()
    private let state = Guarded((isRunning: false, isComplete: false))

    init(_ observer: Signal<Value, Error>.Observer, _ lifetime: Lifetime) {
        self.observer = observer
        lifetime.disposables.insert(inner)
    }

    func add(_ core: ProducerCore<Value, Error>) {
        let isRunning = state.withLock { state in
            let wasRunning = state.isRunning
            state.isRunning = true
            return wasRunning
        }
        guard !isRunning else { return }
        let (handle, run) = core.connect(
            .unchecked { [self] event in
                guard case .completed = event else {
                    observer.send(event)
                    return
                }
                let isOver = state.withLock { state in
                    state.isRunning = false
                    return state.isComplete
                }
                if isOver { observer.sendCompleted() }
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
}
