// SPDX-License-Identifier: MIT

#if ReactiveSwift
@preconcurrency import ReactiveSwift
#else
import ReactiveSignals
#endif

extension SignalProducerProtocol {
    /// Starts the work and calls `action` with every value; failures and other ends are ignored.
    /// - Returns: what interrupts the start. Dropping it does not.
    @available(*, deprecated, message: "Use startWithResult(_:), or startWithValues(_:) when Error is Never")
    @discardableResult
    @preconcurrency
    public func startWithNext(_ action: @escaping @Sendable (Value) -> Void) -> any Disposable {
        producer.start { event in
            if case .value(let value) = event { action(value) }
        }
    }
}
