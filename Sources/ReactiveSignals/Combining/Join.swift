// SPDX-License-Identifier: MIT

/// How values of several streams make one.
enum JoinRule {
    /// The latest of each.
    case latest
    /// The first, second, third… of each.
    case pairs
}

/// What one of the joined streams has sent. Touched only under the lock of the join's outbox.
final class JoinInput<Value> {
    // For the latest there is at most one.
    private var values = Queue<Value>()
    fileprivate var hasCompleted = false

    fileprivate var isReady: Bool { !values.isEmpty }

    /// Returns what the value replaces, to be let go of without the lock.
    fileprivate func add(_ value: Value, _ rule: JoinRule) -> Value? {
        let replaced = rule == .latest ? values.popFirst() : nil
        values.append(value)
        return replaced
    }

    fileprivate var latest: Value? { values.first }

    fileprivate func removeFirst() -> Value? { values.popFirst() }
}

/// Joins several streams into one of combined values.
final class Join<Value, Error: Swift.Error>: @unchecked Sendable {  // variables are touched only under the outbox's lock
    private let rule: JoinRule
    private let outbox: Outbox<Value, Error>
    private let lifetime: Lifetime
    private let combine: (Join) -> Value
    private let count: Int
    private var ready = 0
    private var completed = 0
    private var isExhausted = false

    /// - Parameter combine: makes a value of what ``take(_:)`` returns for each of the `count` inputs.
    init(
        _ rule: JoinRule, _ observer: Signal<Value, Error>.Observer, _ lifetime: Lifetime, count: Int, combine: @escaping (Join) -> Value
    ) {
        self.rule = rule
        self.lifetime = lifetime
        self.count = count
        self.combine = combine
        outbox = Outbox(observer)
    }

    func connect<V>(_ signal: Signal<V, Error>, _ input: JoinInput<V>) {
        let observation = signal.observeUnchecked({ [self] event in
            switch event {
            case .value(let value):
                var replaced: V?
                outbox.post { receive(value, input, &replaced) }
                withExtendedLifetime(replaced) {}
                if rule == .pairs { outbox.post { isExhausted ? .completed : nil } }
            case .completed: outbox.post { complete(input) }
            case .failed(let error): outbox.post(.failed(error))
            case .interrupted: outbox.post(.interrupted)
            }
        })
        if let observation { lifetime.disposables.insert(observation) }
    }

    /// The value of an input to combine; for pairs it is used up.
    func take<V>(_ input: JoinInput<V>) -> V {
        guard let value = rule == .pairs ? input.removeFirst() : input.latest else {
            preconditionFailure("values are combined when each input has one")
        }
        if rule == .pairs, !input.isReady {
            ready -= 1
            if input.hasCompleted { isExhausted = true }
        }
        return value
    }

    private func receive<V>(_ value: V, _ input: JoinInput<V>, _ replaced: inout V?) -> Signal<Value, Error>.Event? {
        if !input.isReady { ready += 1 }
        replaced = input.add(value, rule)
        return ready == count ? .value(combine(self)) : nil
    }

    private func complete<V>(_ input: JoinInput<V>) -> Signal<Value, Error>.Event? {
        input.hasCompleted = true
        completed += 1
        if rule == .pairs, !input.isReady { isExhausted = true }
        return isExhausted || completed == count ? .completed : nil
    }
}
