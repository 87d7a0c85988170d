// SPDX-License-Identifier: MIT

import Synchronization

/// Suspends until the callback handed to `start` is called, and returns what it was given; cancelling the task calls `onCancel`.
///
/// The callback must be called exactly once, from any thread; the task resumes without a detour over a queue. `start` gets the callback
/// synchronously, before anything else can run.
///
/// ThreadSanitizer does not see that resuming a continuation orders what came before it with what the task does after it: the releasing
/// store before the resume and the acquiring load after it say so.
///
/// Public and inlinable only so that the package's other modules specialize it. Not meant for users.
@inlinable
public nonisolated(nonsending) func awaitingCallback<Value: Sendable>(
    onCancel: @escaping @Sendable () -> Void,
    _ start: (_ callback: @escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
    let arrival = Arrival()
    let value = await withTaskCancellationHandler {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Value, Never>) in
            start { value in
                arrival.happened.store(true, ordering: .releasing)
                continuation.resume(returning: value)
            }
        }
    } onCancel: {
        onCancel()
    }
    _ = arrival.happened.load(ordering: .acquiring)
    return value
}

/// Whether the callback was called.
@usableFromInline
final class Arrival: Sendable {
    @usableFromInline let happened = Atomic<Bool>(false)

    @inlinable
    init() {}
}
