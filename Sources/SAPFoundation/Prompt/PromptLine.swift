// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Lets one prompt at a time have the person's attention, in the whole process.
enum PromptLine {
    private struct State: Sendable {
        var isBusy = false
        var waiting: [@Sendable () -> Void] = []
    }

    private static let state = Locked(State())

    /// Runs `prompt` when it is its turn; the prompt calls ``next()`` at its end.
    static func join(_ prompt: @escaping @Sendable () -> Void) {
        let isFree = state.withLock { state in
            if state.isBusy {
                state.waiting.append(prompt)
                return false
            }
            state.isBusy = true
            return true
        }
        if isFree { prompt() }
    }

    static func next() {
        let prompt = state.withLock { state in
            state.isBusy = !state.waiting.isEmpty
            return state.isBusy ? state.waiting.removeFirst() : nil
        }
        prompt?()
    }
}
