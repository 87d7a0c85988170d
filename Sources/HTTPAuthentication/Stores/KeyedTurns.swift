// SPDX-License-Identifier: MIT

import HTTPMessages

/// Lets one at a time in, for each key, in the order of arrival, within this process.
final class KeyedTurns: Sendable {
    private struct Waiter {
        let id: UInt64
        let letIn: @Sendable (Bool) -> Void
    }

    private struct State {
        /// Keys somebody has the turn for, with those who wait for it.
        var queues: [String: [Waiter]] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Waits for the turn and has it until the access ends.
    /// - Throws: `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) func turn(for key: String) async throws -> ExclusiveAccess {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let isIn = await awaitingCallback(onCancel: { [self] in leave(key, id) }) { (letIn: @escaping @Sendable (Bool) -> Void) in
            let isFirst = state.withLock { state in
                if state.queues[key] == nil {
                    state.queues[key] = []
                    return true
                }
                state.queues[key]?.append(Waiter(id: id, letIn: letIn))
                return false
            }
            if isFirst {
                letIn(true)
            } else if Task.isCancelled {
                // The cancellation may have come before there was a waiter to end.
                leave(key, id)
            }
        }
        guard isIn else { throw CancellationError() }
        return ExclusiveAccess { [self] in next(key) }
    }

    /// How many wait for the turn.
    func waiterCount(for key: String) -> Int { state.withLock { $0.queues[key]?.count ?? 0 } }

    private func next(_ key: String) {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiters = state.queues[key], !waiters.isEmpty else {
                state.queues[key] = nil
                return nil
            }
            return state.queues[key]?.removeFirst()
        }
        waiter?.letIn(true)
    }

    private func leave(_ key: String, _ id: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.queues[key]?.firstIndex(where: { $0.id == id }) else { return nil }
            return state.queues[key]?.remove(at: index)
        }
        waiter?.letIn(false)
    }
}
