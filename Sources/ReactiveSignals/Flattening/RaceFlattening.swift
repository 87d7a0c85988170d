// SPDX-License-Identifier: MIT

/// Lets the inner stream win that sends an event first, and disposes of the others.
final class RaceFlattening<Value, Error: Swift.Error>: Flattening, @unchecked Sendable {  // the state has its lock
    private struct State {
        var next: UInt64 = 0
        var winner: UInt64?
        var handles: [UInt64: StartHandle] = [:]
        var isComplete = false
        var winnerHasEnded = false
        var isOver: Bool { isComplete && (winner == nil ? handles.isEmpty : winnerHasEnded) }
    }

    private let observer: Signal<Value, Error>.Observer
    private let lifetime: Lifetime
    private let state = Guarded(State())

    init(_ observer: Signal<Value, Error>.Observer, _ lifetime: Lifetime) {
        self.observer = observer
        self.lifetime = lifetime
    }

    func add(_ core: ProducerCore<Value, Error>) {
        let number = state.withLock { state -> UInt64? in
            guard state.winner == nil else { return nil }
            state.next += 1
            return state.next
        }
        guard let number else { return }
        let (handle, run) = core.connect(.unchecked { [self] event in receive(event, from: number) })
        state.withLock { $0.handles[number] = handle }
        lifetime.disposables.insert(handle)
        if !handle.isDisposed { run() }
    }

    func complete() {
        let isOver = state.withLock { state in
            state.isComplete = true
            return state.isOver
        }
        if isOver { observer.sendCompleted() }
    }

    private func receive(_ event: Signal<Value, Error>.Event, from number: UInt64) {
        let (wins, losers) = state.withLock { state -> (Bool, [UInt64: StartHandle]) in
            if let winner = state.winner { return (winner == number, [:]) }
            state.winner = number
            var losers = state.handles
            losers[number] = nil
            state.handles = [:]
            return (true, losers)
        }
        guard wins else { return }
        for loser in losers.values { loser.dispose() }
        guard case .completed = event else {
            observer.send(event)
            return
        }
        let isOver = state.withLock { state in
            state.winnerHasEnded = true
            return state.isComplete
        }
        if isOver { observer.sendCompleted() }
    }
}
