// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Holds a session's requests back while an app's hook completes a log-in, but for those that the hook sends itself.
final class AuthenticationGate: Sendable {
    private struct State: Sendable {
        var closers: Set<UUID> = []
        var waiting: [@Sendable ((any Error)?) -> Void] = []
    }

    private let state = Locked(State())

    /// Whether a request with this mark has to wait.
    func isClosed(for bypass: UUID?) -> Bool {
        state.withLock { state in
            !state.closers.isEmpty && !(bypass.map { state.closers.contains($0) } ?? false)
        }
    }

    func close(with identifier: UUID) { state.withLock { state in _ = state.closers.insert(identifier) } }

    /// Calls `answer` when the gate is open, or with the hook's error.
    func wait(_ answer: @escaping @Sendable ((any Error)?) -> Void) {
        let isOpen = state.withLock { state in
            if !state.closers.isEmpty { state.waiting.append(answer) }
            return state.closers.isEmpty
        }
        if isOpen { answer(nil) }
    }

    /// Lets go those who wait, when the last one who closed the gate opens it; an error lets them go at once.
    func open(with identifier: UUID, error: (any Error)?) {
        let waiting = state.withLock { state in
            state.closers.remove(identifier)
            guard state.closers.isEmpty || error != nil else { return [@Sendable ((any Error)?) -> Void]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for answer in waiting { answer(error) }
    }
}
