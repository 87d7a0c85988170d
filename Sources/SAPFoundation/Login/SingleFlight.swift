// SPDX-License-Identifier: MIT

import HTTPMessages

/// Does the same work once for everybody who wants it at the same time.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Waiter = @Sendable (Result<Value, any Error>) -> Void

    private let waiting = Locked<[Key: [Waiter]]>([:])

    /// `waiter` gets the outcome of the work for `key` under way, or of `work`, which is begun if there is none.
    func join(_ key: Key, _ waiter: @escaping Waiter, work: (_ finish: @escaping Waiter) -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting[key, default: []].append(waiter)
            return waiting[key]?.count == 1
        }
        guard isFirst else { return }
        let once = AnswerOnce<Result<Value, any Error>>(hook: "a log-in") { [waiting] result in
            let waiters = waiting.withLock { $0.removeValue(forKey: key) ?? [] }
            for waiter in waiters { waiter(result) }
        }
        work { once.give($0) }
    }
}
