// SPDX-License-Identifier: MIT

import HTTPMessages

/// What its holder, and nobody else, may do meanwhile; it ends with ``end()`` or when the last reference to it goes.
public final class ExclusiveAccess: Sendable {
    private let onEnd: Locked<(@Sendable () -> Void)?>

    /// `onEnd` is called once, on the thread on which the access ends.
    public init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = Locked(onEnd) }

    deinit { end() }

    /// Lets the next one in. May be called on any thread, and again without effect.
    public func end() {
        let action = onEnd.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
