// SPDX-License-Identifier: MIT

/// Holds one disposable at a time and disposes of it when another takes its place.
public final class SerialDisposable: Disposable, @unchecked Sendable {  // its state is touched only under its lock
    private struct State {
        var inner: (any Disposable)?
        var isDisposed = false
    }

    private let state: Guarded<State>

    /// One that holds `disposable`.
    public init(_ disposable: (any Disposable)? = nil) {
        state = Guarded(State(inner: disposable))
    }

    /// Whether ``dispose()`` was called.
    public var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// What is held; nil after disposal. Setting it disposes of what was held, and of the new one if this was disposed of before.
    public var inner: (any Disposable)? {
        get { state.withLock { $0.inner } }
        set {
            let obsolete = state.withLock { state -> (any Disposable)? in
                guard !state.isDisposed else { return newValue }
                let previous = state.inner
                state.inner = newValue
                return previous
            }
            obsolete?.dispose()
        }
    }

    /// Disposes of what is held, and from then on of everything that ``inner`` is set to.
    public func dispose() {
        let inner = state.withLock { state in
            let inner = state.inner
            state = State(inner: nil, isDisposed: true)
            return inner
        }
        inner?.dispose()
    }
}
