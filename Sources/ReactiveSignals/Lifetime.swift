// SPDX-License-Identifier: MIT

/// The life of something, as others see it: they learn when it ends and leave what is to be disposed of then.
public final class Lifetime: Sendable {
    let disposables: CompositeDisposable

    init(_ disposables: CompositeDisposable) {
        self.disposables = disposables
    }

    /// A lifetime that ends when `token` is released or disposed of. Does not retain it.
    public convenience init(_ token: Token) {
        self.init(token.disposables)
    }

    /// A lifetime and the token that ends it.
    public static func make() -> (lifetime: Lifetime, token: Token) {
        let token = Token()
        return (Lifetime(token), token)
    }

    /// A lifetime that has ended.
    public static let empty: Lifetime = {
        let disposables = CompositeDisposable()
        disposables.dispose()
        return Lifetime(disposables)
    }()

    /// Whether it has ended.
    public var hasEnded: Bool { disposables.isDisposed }

    /// Completes when the lifetime ends; has terminated already if it has ended.
    public var ended: Signal<Never, Never> {
        Signal(
            .unserialized,
            { observer, lifetime in
                let id = self.disposables.insert(unchecked: observer.sendCompleted)
                guard let id else { return }
                let disposables = self.disposables
                lifetime.disposables.insert(unchecked: { disposables.remove(id) })
            })
    }

    /// Runs `action` when the lifetime ends, on the thread that ends it; at once if it has ended.
    /// - Returns: what withdraws the action; nil if it ran at once.
    @discardableResult
    @preconcurrency
    public func observeEnded(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        disposables.add(action)
    }

    /// Disposes of the right side when the lifetime ends; at once if it has ended.
    /// - Returns: what withdraws it; nil if there was nothing to add.
    @discardableResult
    public static func += (lifetime: Lifetime, disposable: (any Disposable)?) -> (any Disposable)? {
        lifetime.disposables.add(disposable)
    }

    /// Ends the lifetimes made of it when it is released.
    public final class Token: Sendable {
        let disposables = CompositeDisposable()

        /// A token of a life that goes on.
        public init() {}

        deinit {
            disposables.dispose()
        }

        /// Ends the lifetimes now.
        public func dispose() {
            disposables.dispose()
        }
    }
}
