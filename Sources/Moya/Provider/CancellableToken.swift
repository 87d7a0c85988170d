// SPDX-License-Identifier: MIT

import Synchronization

/// A ``Cancellable`` that runs an action when it is cancelled first.
public final class CancellableToken: Cancellable, CustomDebugStringConvertible, @unchecked Sendable {  // constants and an atomic
    private let wasCancelled = Atomic<Bool>(false)
    private let action: () -> Void
    private let describe: (() -> String)?

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { wasCancelled.load(ordering: .acquiring) }

    /// Runs the action, on this thread; only the first call does.
    public func cancel() {
        guard !wasCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        action()
    }

    /// A token that runs `action` at most once, on the thread that cancels.
    public convenience init(action: @escaping () -> Void) {
        self.init(action: action, describe: nil)
    }

    init(action: @escaping () -> Void, describe: (() -> String)?) {
        self.action = action
        self.describe = describe
    }

    /// The request as a `curl` command in which secrets are redacted, or a fixed text if the token has no request.
    public var debugDescription: String { describe?() ?? "(no request)" }
}
