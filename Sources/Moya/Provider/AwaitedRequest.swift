// SPDX-License-Identifier: MIT

import HTTPMessages

/// A request that one task waits for.
///
/// A struct around its lock, so that the closures which hold it need no context of their own.
struct AwaitedRequest: Sendable {
    private struct State {
        var link = CancellationLink()
        var outcome: Result<Response, MoyaError>?
        var waiting: UnsafeContinuation<Void, Never>?
    }

    private let state = Locked(State())

    func connect(to request: any Cancellable) {
        state.withLock { $0.link.connected(to: request) }?.cancel()
    }

    /// The first outcome counts, and resumes the task.
    func ended(_ result: Result<Response, MoyaError>) {
        let waiting = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard state.link.settles() else { return nil }
            state.outcome = result
            return state.waiting
        }
        waiting?.resume()
    }

    /// What the outcome resumes, at once if it is there.
    func resumes(_ continuation: UnsafeContinuation<Void, Never>) {
        let hasEnded = state.withLock { state in
            state.waiting = continuation
            return state.outcome != nil
        }
        if hasEnded { continuation.resume() }
    }

    /// The task is cancelled.
    func cancel() {
        state.withLock { $0.link.cancelled() }?.cancel()
    }

    var hasEnded: Bool { state.withLock { $0.outcome != nil } }

    /// The outcome, for the task that was resumed.
    var outcome: Result<Response, MoyaError> {
        state.withLock { state in state.link.translated(state.outcome ?? .failure(.cancelledInFlight)) }
    }
}
