// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions

/// The session's request behind a call. Plugins may ask for it before the session has returned it.
final class LiveRequest: Sendable {
    private struct State {
        // Weak: the request owns the interceptor that owns this.
        weak var request: Request?
        var isConnected = false
        var waiting: [@Sendable (Request) -> Void] = []
    }

    private let state = Locked(State())

    func connect(to request: Request) {
        let waiting = state.withLock { state in
            state.request = request
            state.isConnected = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action(request) }
    }

    /// Calls `action` with the request, now or as soon as it is known; not at all if it is gone.
    func perform(_ action: @escaping @Sendable (Request) -> Void) {
        let request = state.withLock { state in
            if !state.isConnected { state.waiting.append(action) }
            return state.request
        }
        if let request { action(request) }
    }
}
