// SPDX-License-Identifier: MIT

import HTTPMessages

/// Passes the first decision on and drops the others.
final class OneDecision: Sendable {
    private let action: Locked<(@Sendable (ChallengeDecision) -> Void)?>

    init(_ action: @escaping @Sendable (ChallengeDecision) -> Void) { self.action = Locked(action) }

    func make(_ decision: ChallengeDecision) {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?(decision)
    }
}
