// SPDX-License-Identifier: MIT

/// Runs up to a number of inner streams at a time; the others wait in their order.
final class ConcurrentFlattening<Value, Error: Swift.Error>: Flattening, @unchecked Sendable {  // the state has its lock
    private struct State {
        var waiting = Queue<ProducerCore<Value, Error>>()
        var running: UInt = 0
        var isComplete = false
        /// The threads that are in the loop of ``startWaiting()``.
        var starters: [ThreadIdentity] = []

        var isOver: Bool { isComplete && running == 0 && waiting.isEmpty }
    }

    private let limit: UInt
    private let observer: Signal<Value, Error>.Observer
    private let lifetime: Lifetime
    private let state = Guarded(State())

    init(limit: UInt, _ observer: Signal<Value, Error>.Observer, _ lifetime: Lifetime) {
        self.limit = limit
        self.observer = observer
        self.lifetime = lifetime
    }

    func add(_ inner: ProducerCore<Value, Error>) {
        state.withLock { $0.waiting.append(inner) }
        startWaiting()
    }

    func complete() {
        let isOver = state.withLock { state in
            state.isComplete = true
            return state.isOver
        }
        if isOver { observer.sendCompleted() }
    }

    /// Starts what may run. An inner stream that ends while it is being started gives its place to the next in the same loop, on no deeper
    /// stack.
    private func startWaiting() {
        let thread = ThreadIdentity.current
        let isStarting = state.withLock { state in
            if state.starters.contains(thread) { return true }
            state.starters.append(thread)
            return false
        }
        guard !isStarting else { return }
        while let inner = nextToStart(thread) { start(inner) }
    }

    private func nextToStart(_ thread: ThreadIdentity) -> ProducerCore<Value, Error>? {
        let hasEnded = lifetime.hasEnded
        return state.withLock { state in
            guard !hasEnded, state.running < limit, let inner = state.waiting.popFirst() else {
                state.starters.removeAll { $0 == thread }
                return nil
            }
            state.running += 1
            return inner
        }
    }

    private func start(_ inner: ProducerCore<Value, Error>) {
        let disposables = lifetime.disposables
        let membership = Guarded<UInt64?>(nil)
        let (handle, run) = inner.connect(
            .unchecked { [self] event in
                switch event {
                case .value, .failed: observer.send(event)
                case .completed, .interrupted:
                    if let id = membership.withLock({ $0 }) { disposables.remove(id) }
                    innerEnded()
                }
            })
        guard let id = disposables.insert(handle) else { return }
        membership.withLock { $0 = id }
        run()
    }

    private func innerEnded() {
        let isOver = state.withLock { state in
            state.running -= 1
            return state.isOver
        }
        if isOver {
            observer.sendCompleted()
        } else {
            startWaiting()
        }
    }
}
