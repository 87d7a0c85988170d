// SPDX-License-Identifier: MIT

import HTTPMessages

/// A question to somebody else, whose first answer counts; it may come before the question has been put completely.
struct FollowUpQuestion: Sendable {
    private enum State {
        case put
        case waiting
        case answered(FollowUp)
    }

    private let state = Locked(State.put)

    /// Whether it is for the caller to act on the answer.
    func answer(_ followUp: FollowUp) -> Bool {
        state.withLock { state in
            switch state {
            case .put:
                state = .answered(followUp)
                return false
            case .waiting:
                state = .answered(followUp)
                return true
            case .answered: return false
            }
        }
    }

    /// An answer that is there already; without one, whoever answers has to act.
    func earlyAnswer() -> FollowUp? {
        state.withLock { state in
            if case .answered(let followUp) = state { return followUp }
            state = .waiting
            return nil
        }
    }
}
