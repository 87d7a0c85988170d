// SPDX-License-Identifier: MIT

/// The value of a property and those who follow it. A change is queued for all of them in the step that makes it, and sent without a lock.
final class PropertyStorage<Value>: @unchecked Sendable {  // the state has its lock
    private struct State {
        var value: Value
        var followers = ContiguousArray<Outbox<Value, Never>>()
        var hasCompleted = false
    }

    private let state: Guarded<State>
    private let source = SerialDisposable()

    init(_ value: Value) {
        state = Guarded(State(value: value))
    }

    /// Follows `values`. Without a fallback they have to send one while they are started, as those of a property do.
    convenience init(_ values: SignalProducer<Value, Never>, fallback: Value?) {
        let received = Guarded<Received>(.value(fallback))
        let handle = values.startUnchecked({ event in
            let storage = received.withLock { received -> PropertyStorage? in
                if case .storage(let link) = received { return link.storage }
                switch event {
                case .value(let value): received = .value(value)
                case .completed, .failed, .interrupted: received = .end(received.first)
                }
                return nil
            }
            switch event {
            case .value(let value): _ = storage?.swap(value)
            case .completed, .failed, .interrupted: storage?.complete()
            }
        })
        guard let value = received.withLock({ $0.first }) else {
            preconditionFailure("A property sends its value as soon as it is observed")
        }
        self.init(value)
        source.inner = handle
        let link = Link(self)
        let meanwhile = received.withLock { received in
            let meanwhile = received
            received = .storage(link)
            return meanwhile
        }
        if let latest = meanwhile.first { _ = swap(latest) }
        if case .end = meanwhile { complete() }
    }

    deinit {
        source.dispose()
    }

    var value: Value { state.withLock { $0.value } }

    func withValue<R>(_ action: (Value) throws -> R) rethrows -> R {
        try state.withLock { try action($0.value) }
    }

    @discardableResult
    func modify<R>(_ action: (inout Value) throws -> R) rethrows -> R {
        var followers = ContiguousArray<Outbox<Value, Never>>()
        // An action that throws may have changed the value before.
        defer { for index in 0..<followers.count { followers[index].flush() } }
        return try state.withLock { state in
            defer {
                followers = state.followers
                for index in 0..<followers.count { followers[index].enqueue(.value(state.value)) }
            }
            return try action(&state.value)
        }
    }

    /// Sets the value and returns the previous one.
    func swap(_ newValue: Value) -> Value {
        var followers = ContiguousArray<Outbox<Value, Never>>()
        let previous = state.withLock { state in
            let previous = state.value
            state.value = newValue
            followers = state.followers
            for index in 0..<followers.count { followers[index].enqueue(.value(newValue)) }
            return previous
        }
        for index in 0..<followers.count { followers[index].flush() }
        return previous
    }

    func complete() {
        let followers = state.withLock { state in
            let followers = state.followers
            state.followers = []
            state.hasCompleted = true
            for follower in followers { follower.enqueue(.completed) }
            return followers
        }
        for follower in followers { follower.flush() }
    }

    var producer: SignalProducer<Value, Never> {
        .handling { [self] observer, lifetime in follow(observer, lifetime, sendingValue: true) }
    }

    var signal: Signal<Value, Never> {
        Signal(.inTurn) { observer, lifetime in follow(observer, lifetime, sendingValue: false) }
    }

    /// Whoever follows retains the storage, and with it the source.
    private func follow(_ observer: Signal<Value, Never>.Observer, _ lifetime: Lifetime, sendingValue: Bool) {
        let outbox = Outbox(observer)
        state.withLock { state in
            if sendingValue { outbox.enqueue(.value(state.value)) }
            if state.hasCompleted {
                outbox.enqueue(.completed)
            } else {
                state.followers.append(outbox)
            }
        }
        outbox.flush()
        lifetime.disposables.insert(unchecked: { self.remove(outbox) })
    }

    private func remove(_ outbox: Outbox<Value, Never>) {
        state.withLock { state in
            state.followers.removeAll { $0 === outbox }
        }
    }

    /// The source does not retain the storage that follows it.
    private struct Link {
        weak var storage: PropertyStorage?
        init(_ storage: PropertyStorage) { self.storage = storage }
    }

    private enum Received {
        case value(Value?)
        case end(Value?)
        case storage(Link)

        var first: Value? {
            switch self {
            case .value(let value), .end(let value): value
            case .storage: nil
            }
        }
    }
}
