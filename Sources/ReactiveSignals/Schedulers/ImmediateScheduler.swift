// SPDX-License-Identifier: MIT

/// Runs actions at once, on the thread that schedules them.
public final class ImmediateScheduler: Scheduler {
    /// A scheduler without state.
    public init() {}

    /// Runs `action` and returns nil.
    @discardableResult
    @preconcurrency
    public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        action()
        return nil
    }
}
