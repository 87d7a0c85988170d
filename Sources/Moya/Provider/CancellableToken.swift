// SPDX-License-Identifier: MIT

import Synchronization

/// A ``Cancellable`` that runs an action when it is cancelled first.
public final class CancellableToken: Cancellable, CustomDebugStringConvertible, @unchecked Sendable {  // constants and an atomic
    private let wasCancelled = Atomic<Bool>(false)
    private let action: () -> Void

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { wasCancelled.load(ordering: .acquiring) }

    /// Runs the action, on this thread; only the first call does.
    public func cancel() {
        guard !wasCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        action()
    }

    /// A token that runs `action` at most once, on the thread that cancels.
    public init(action: @escaping () -> Void) {
        self.action = action
    }

    /// A fixed text: a token knows its action only.
    public var debugDescription: String { "(no request)" }
}
