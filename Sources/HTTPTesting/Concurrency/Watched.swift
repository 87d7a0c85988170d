// SPDX-License-Identifier: MIT

import HTTPMessages

/// State that tests can wait on: a wait ends when a change makes its condition true, never because time went by.
final class Watched<State: Sendable>: Sendable {
    private struct Waiter {
        let id: UInt64
        let isSatisfied: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
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
        let (result, satisfied) = try contents.withLock { contents -> (Result, [Waiter]) in
            let result = try body(&contents.state)
            guard !contents.waiters.isEmpty else { return (result, []) }
            let state = contents.state
            let satisfied = contents.waiters.filter { $0.isSatisfied(state) }
            if !satisfied.isEmpty {
                let ids = Set(satisfied.map(\.id))
                contents.waiters.removeAll { ids.contains($0.id) }
            }
            return (result, satisfied)
        }
        for waiter in satisfied { waiter.continuation.resume() }
        return result
    }

    func read<Result>(_ body: (State) throws -> Result) rethrows -> Result {
        try contents.withLock { try body($0.state) }
    }

    /// Returns once `condition` holds; the condition runs under the lock and must not call out.
    /// - Throws: `CancellationError` when the waiting task is cancelled first.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async throws {
        let id = contents.withLock { contents in
            contents.nextID += 1
            return contents.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // A cancellation that came before this point found no waiter to end, hence the look at the task.
                let outcome = contents.withLock { contents -> Result<Void, any Error>? in
                    if condition(contents.state) { return .success(()) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    contents.waiters.append(Waiter(id: id, isSatisfied: condition, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = contents.withLock { contents -> Waiter? in
                guard let index = contents.waiters.firstIndex(where: { $0.id == id }) else { return nil }
                return contents.waiters.remove(at: index)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
        // Taking the lock once more orders what the resuming thread wrote before what the caller reads, visibly for ThreadSanitizer.
        contents.withLock { _ in }
    }
}
