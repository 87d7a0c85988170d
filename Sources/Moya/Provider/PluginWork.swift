// SPDX-License-Identifier: MIT

import HTTPMessages

/// The Swift task in which a request's asynchronous plugins run; cancelled with the request.
final class PluginWork: Sendable {
    private struct State {
        var task: _Concurrency.Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Locked(State())

    /// Runs `body` in a task of its own. A request may do so several times, one after the other.
    func run(_ body: @escaping @Sendable () async -> Void) {
        let task = _Concurrency.Task { await body() }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
