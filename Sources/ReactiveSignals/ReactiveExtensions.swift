// SPDX-License-Identifier: MIT

/// A type with reactive extensions, under ``reactive``.
public protocol ReactiveExtensionsProvider {}

extension ReactiveExtensionsProvider {
    /// The reactive extensions of this value.
    public var reactive: Reactive<Self> { Reactive(self) }

    /// The reactive extensions of this type.
    public static var reactive: Reactive<Self>.Type { Reactive<Self>.self }
}

/// Where the reactive extensions of a type are declared.
public struct Reactive<Base> {
    /// What is extended.
    public let base: Base

    fileprivate init(_ base: Base) {
        self.base = base
    }
}

extension Reactive: Sendable where Base: Sendable {}
