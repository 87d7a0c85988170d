// SPDX-License-Identifier: MIT

import Synchronization

/// A disposable that runs an action, once.
public final class AnyDisposable: Disposable, @unchecked Sendable {  // only the call that sets the flag first touches the action
    private let disposed = Synchronization.Atomic<Bool>(false)
    private var action: (() -> Void)?

    /// A disposable that runs `action` on the thread that disposes of it, and then lets go of it.
    @preconcurrency
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// A disposable without effect beyond ``isDisposed``.
    public init() {
        action = nil
    }

    /// A disposable that disposes of another one.
    public init(_ disposable: any Disposable) {
        action = disposable.dispose
    }

    private init(_ action: (() -> Void)?, _: Void) {
        self.action = action
    }

    static func unchecked(_ action: @escaping () -> Void) -> AnyDisposable {
        AnyDisposable(action, ())
    }

    /// Whether ``dispose()`` was called.
    public var isDisposed: Bool { disposed.load(ordering: .acquiring) }

    /// Runs the action, if this is the first call.
    public func dispose() {
        guard !disposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let action = action
        self.action = nil
        action?()
    }
}
