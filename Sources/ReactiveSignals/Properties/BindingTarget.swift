// SPDX-License-Identifier: MIT

precedencegroup BindingPrecedence {
    associativity: right
    higherThan: AssignmentPrecedence
}

infix operator <~ : BindingPrecedence

/// Something that the values of a stream can be bound to.
public protocol BindingTargetProvider<Value> {
    /// What is bound.
    associatedtype Value
    /// Where the values go.
    var bindingTarget: BindingTarget<Value> { get }
}

/// Takes the values of streams for as long as a lifetime goes on.
public struct BindingTarget<Value>: BindingTargetProvider, @unchecked Sendable {  // constants
    /// Bindings end with it.
    public let lifetime: Lifetime

    /// Takes a value.
    public let action: (Value) -> Void

    /// A target that calls `action` until `lifetime` ends.
    @preconcurrency
    public init(lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void) {
        self.lifetime = lifetime
        self.action = action
    }

    /// A target that calls `action` on `scheduler` until `lifetime` ends.
    @preconcurrency
    public init(on scheduler: any Scheduler, lifetime: Lifetime, action: @escaping @Sendable (Value) -> Void) {
        self.init(
            unchecked: lifetime,
            { value in
                scheduler.schedule(assumeSendable { if !lifetime.hasEnded { action(value) } })
            })
    }

    init(unchecked lifetime: Lifetime, _ action: @escaping (Value) -> Void) {
        self.lifetime = lifetime
        self.action = action
    }

    /// The target itself.
    public var bindingTarget: BindingTarget<Value> { self }
}

extension Optional: BindingTargetProvider where Wrapped: BindingTargetProvider {
    /// A target that takes the values of the wrapped one, if there is one.
    public var bindingTarget: BindingTarget<Wrapped.Value> {
        self?.bindingTarget ?? BindingTarget(unchecked: .empty, { _ in })
    }
}

extension MutableProperty: BindingTargetProvider {
    /// Sets the property.
    public var bindingTarget: BindingTarget<Value> {
        BindingTarget(unchecked: lifetime, { [weak self] value in self?.value = value })
    }
}

extension BindingTargetProvider {
    /// Sends the values of `source`, which is started now, to `target` until its lifetime ends.
    /// - Returns: what ends the binding before.
    @discardableResult
    public static func <~ <Source: BindingSource>(target: Self, source: Source) -> (any Disposable)? where Source.Value == Value {
        let target = target.bindingTarget
        return bind(source.producer, to: target, target.action)
    }

    /// Sends the values of `source`, which is started now, to an optional `target` until its lifetime ends.
    /// - Returns: what ends the binding before.
    @discardableResult
    public static func <~ <Source: BindingSource>(target: Self, source: Source) -> (any Disposable)? where Value == Source.Value? {
        let target = target.bindingTarget
        return bind(source.producer, to: target, target.action)
    }

    private static func bind<V>(
        _ values: SignalProducer<V, Never>, to target: BindingTarget<Value>, _ action: @escaping (V) -> Void
    ) -> any Disposable {
        let handle = values.take(during: target.lifetime).startUnchecked { event in
            if case .value(let value) = event { action(value) }
        }
        target.lifetime += handle
        return handle
    }
}
