// SPDX-License-Identifier: MIT

import HTTPMessages

/// State that tests can wait on: a wait ends when a change makes its condition true, never because time went by.
final class Watched<State: Sendable>: Sendable {
    private struct Waiter {
        let id: UInt64
        /// What resumes the waiter if the state has what it waits for.
        let answer: @Sendable (State) -> (@Sendable () -> Void)?
        let cancel: @Sendable () -> Void
    }

    private struct Contents {
        var state: State
        var nextID: UInt64 = 0
        var waiters: [Waiter] = []
    }

    private let contents: Locked<Contents>

    init(_ state: State) {
        contents = Locked(Contents(state: state))
    }

    /// Changes the state, then wakes whoever waited for what is true now (after the lock is free again).
    func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        let (result, answers) = try contents.withLock { contents -> (Result, [@Sendable () -> Void]) in
            let result = try body(&contents.state)
            guard !contents.waiters.isEmpty else { return (result, []) }
            let state = contents.state
            var answers: [@Sendable () -> Void] = []
            contents.waiters.removeAll { waiter in
                guard let answer = waiter.answer(state) else { return false }
                answers.append(answer)
                return true
            }
            return (result, answers)
        }
        for answer in answers { answer() }
        return result
    }

    func read<Result>(_ body: (State) throws -> Result) rethrows -> Result {
        try contents.withLock { try body($0.state) }
    }

    /// Returns once `condition` holds; the condition runs under the lock and must not call out. It may no longer hold when the caller
    /// goes on: who needs to know what it was true of uses ``wait(for:)``.
    /// - Throws: `CancellationError` when the waiting task is cancelled first.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async throws {
        try await wait { condition($0) ? () : nil }
    }

    /// Returns the first value that `find` finds in the state as it is now or becomes; it runs under the lock and must not call out.
    /// - Throws: `CancellationError` when the waiting task is cancelled first.
    func wait<Value: Sendable>(for find: @escaping @Sendable (State) -> Value?) async throws -> Value {
        let id = contents.withLock { contents in
            contents.nextID += 1
            return contents.nextID
        }
        let value = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                let waiter = Waiter(
                    id: id,
                    answer: { state in
                        guard let value = find(state) else { return nil }
                        return { continuation.resume(returning: value) }
                    },
                    cancel: { continuation.resume(throwing: CancellationError()) })
                // A cancellation that came before this point found no waiter to end, hence the look at the task.
                let outcome = contents.withLock { contents -> (@Sendable () -> Void)? in
                    if let answer = waiter.answer(contents.state) { return answer }
                    if Task.isCancelled { return waiter.cancel }
                    contents.waiters.append(waiter)
                    return nil
                }
                outcome?()
            }
        } onCancel: {
            let waiter = contents.withLock { contents -> Waiter? in
                guard let index = contents.waiters.firstIndex(where: { $0.id == id }) else { return nil }
                return contents.waiters.remove(at: index)
            }
            waiter?.cancel()
        }
        // Taking the lock once more orders what the resuming thread wrote before what the caller reads, visibly for ThreadSanitizer.
        contents.withLock { _ in }
        return value
    }
}
