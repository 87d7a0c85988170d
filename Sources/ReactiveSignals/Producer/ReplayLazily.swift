// SPDX-License-Identifier: MIT

/// The latest events of a producer that was started once, and those who follow it.
private final class ReplayLog<Value, Error: Swift.Error>: @unchecked Sendable {  // the state has its lock
    typealias Event = Signal<Value, Error>.Event

    private struct State {
        var hasStarted = false
        var latest = ContiguousArray<Event>()
        var end: Event?
        var followers = ContiguousArray<Outbox<Value, Error>>()
    }

    private let capacity: Int
    private let state = Guarded(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// True for the first caller.
    func claimStart() -> Bool {
        state.withLock { state in
            let hasStarted = state.hasStarted
            state.hasStarted = true
            return !hasStarted
        }
    }

    /// Sends the log to a new follower, and what comes later as well.
    func add(_ outbox: Outbox<Value, Error>, during lifetime: Lifetime) {
        let isFollowing = state.withLock { state in
            outbox.enqueue(all: state.latest)
            if let end = state.end {
                outbox.enqueue(end)
                return false
            }
            state.followers.append(outbox)
            return true
        }
        outbox.flush()
        guard isFollowing else { return }
        lifetime.disposables.insert(unchecked: { [weak self] in self?.remove(outbox) })
    }

    /// A follower gets an event in its own queue, so that it may still be busy with the log.
    func receive(_ event: Event) {
        // What leaves the log is let go of without the lock.
        let (followers, _) = state.withLock { state -> (ContiguousArray<Outbox<Value, Error>>, Event?) in
            let followers = state.followers
            var replaced: Event?
            if event.isTerminating {
                state.end = event
                state.followers = []
            } else if capacity > 0 {
                if state.latest.count == capacity { replaced = state.latest.removeFirst() }
                state.latest.append(event)
            }
            for follower in followers { follower.enqueue(event) }
            return (followers, replaced)
        }
        for follower in followers { follower.flush() }
    }

    private func remove(_ outbox: Outbox<Value, Error>) {
        state.withLock { state in
            state.followers.removeAll { $0 === outbox }
        }
    }
}

/// Owned by the replayed producer and its starts; disposes of the source with the last of them.
private final class ReplayOwner<Value, Error: Swift.Error>: @unchecked Sendable {  // constants
    private let source: ProducerCore<Value, Error>
    private let log: ReplayLog<Value, Error>
    private let started = SerialDisposable()

    init(_ source: ProducerCore<Value, Error>, capacity: Int) {
        self.source = source
        log = ReplayLog(capacity: capacity)
    }

    deinit {
        started.dispose()
    }

    func follow(_ observer: Signal<Value, Error>.Observer, _ lifetime: Lifetime) {
        lifetime.disposables.insert(unchecked: { withExtendedLifetime(self) {} })
        log.add(Outbox(observer), during: lifetime)
        guard log.claimStart() else { return }
        let (handle, run) = source.connect(.unchecked { [log] event in log.receive(event) })
        started.inner = handle
        if !handle.isDisposed { run() }
    }
}

extension SignalProducer {
    /// A producer that starts this one with its first start, and once ever; later starts get up to `capacity` of the latest values, what
    /// comes after them, and the end.
    ///
    /// This producer is disposed of, and the values are released, when the replayed one and all its active starts are gone. Negative
    /// capacities trap.
    public func replayLazily(upTo capacity: Int) -> SignalProducer<Value, Error> {
        precondition(capacity >= 0, "The number of values to replay must not be negative")
        let owner = ReplayOwner(core, capacity: capacity)
        return SignalProducer(HandlerCore(.inTurn, { observer, lifetime in owner.follow(observer, lifetime) }))
    }
}
