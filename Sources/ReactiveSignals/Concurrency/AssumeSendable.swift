// SPDX-License-Identifier: MIT

/// Takes an ordinary closure where a `@Sendable` one is asked for.
///
/// Values, transforms and schedulers meet under the rules of a signal, which calls one observer at a time; that the values themselves may
/// cross threads is the user's promise, as it is with the types of this module.
func assumeSendable(_ action: @escaping () -> Void) -> @Sendable () -> Void {
    nonisolated(unsafe) let action = action
    return { action() }
}

/// Takes an ordinary closure of one argument where a `@Sendable` one is asked for.
func assumeSendable<A, B>(_ transform: @escaping (A) -> B) -> @Sendable (A) -> B {
    nonisolated(unsafe) let transform = transform
    return { transform($0) }
}
