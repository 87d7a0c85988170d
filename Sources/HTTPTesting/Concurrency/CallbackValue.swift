// SPDX-License-Identifier: MIT

import Synchronization

/// Suspends until the callback handed to `start` is called, and returns what it was given. A second call traps.
///
/// ThreadSanitizer does not see that resuming a continuation orders what came before it with what the task does after it; here it does.
package nonisolated(nonsending) func callbackValue<Value: Sendable>(
    _ start: (_ callback: @escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
    let arrival = Arrival()
    let value = await withCheckedContinuation { continuation in
        start { value in
            arrival.happened.store(true, ordering: .releasing)
            continuation.resume(returning: value)
        }
    }
    _ = arrival.happened.load(ordering: .acquiring)
    return value
}

private final class Arrival: Sendable {
    let happened = Atomic<Bool>(false)
}
