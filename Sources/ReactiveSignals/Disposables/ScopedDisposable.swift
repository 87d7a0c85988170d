// SPDX-License-Identifier: MIT

/// Disposes of another disposable when it is released.
public final class ScopedDisposable<Inner: Disposable>: Disposable {
    /// What is disposed of.
    public let inner: Inner

    /// Owns `disposable`.
    public init(_ disposable: Inner) {
        inner = disposable
    }

    deinit {
        dispose()
    }

    /// Whether ``inner`` was disposed of.
    public var isDisposed: Bool { inner.isDisposed }

    /// Disposes of ``inner``.
    public func dispose() {
        inner.dispose()
    }
}

extension ScopedDisposable where Inner == AnyDisposable {
    /// Owns a disposable of any type.
    public convenience init(_ disposable: any Disposable) {
        self.init(AnyDisposable(disposable))
    }
}

extension ScopedDisposable where Inner == CompositeDisposable {
    /// Adds a member to ``inner``.
    @discardableResult
    public static func += (lhs: ScopedDisposable, rhs: (any Disposable)?) -> (any Disposable)? {
        lhs.inner.add(rhs)
    }

    /// Adds an action to ``inner``.
    @discardableResult
    @preconcurrency
    public static func += (lhs: ScopedDisposable, rhs: @escaping @Sendable () -> Void) -> (any Disposable)? {
        lhs.inner.add(rhs)
    }
}

extension ScopedDisposable where Inner == SerialDisposable {
    /// What ``inner`` holds.
    public var inner: (any Disposable)? {
        get {
            let serial: SerialDisposable = self.inner
            return serial.inner
        }
        set {
            let serial: SerialDisposable = self.inner
            serial.inner = newValue
        }
    }
}
