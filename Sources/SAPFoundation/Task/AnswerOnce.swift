// SPDX-License-Identifier: MIT

import HTTPMessages

/// A completion handler's first call passes through; another one is a fault of whoever calls, which is reported and ignored.
final class AnswerOnce<Answer: Sendable>: Sendable {
    /// `nil` where a second call is no fault, since cancelling answers, too.
    private let hook: String?
    private let action: Locked<(@Sendable (Answer) -> Void)?>

    init(hook: String?, _ action: @escaping @Sendable (Answer) -> Void) {
        self.hook = hook
        self.action = Locked(action)
    }

    func give(_ answer: Answer) {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        guard let action else {
            guard let hook else { return }
            return SAPDiagnostics.report(.fault, "the completion handler of \(hook) was called more than once; only the first call counts")
        }
        action(answer)
    }
}
