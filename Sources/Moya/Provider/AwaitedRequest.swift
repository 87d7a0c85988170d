// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions

/// A request that one task waits for. What is to be done when its transfer has ended is done by that task: the thread that serves all
/// transfers has better things to do.
///
/// ```
/// request ─▶ task waits ── work ──▶ task does it, and waits again without an outcome
///                 └─────── outcome ─▶ task goes on
/// ```
final class AwaitedRequest: ConclusionPlace {
    private struct State {
        var link = CancellationLink()
        var hasEnded = false
        /// Until the task takes it.
        var outcome: Result<Response, MoyaError>?
        /// At most one of these is there.
        var waiting: UnsafeContinuation<Void, Never>?
        var work: Work?
    }

    /// Not a ``Carried``, which would wrap the closure in another one.
    private struct Work: @unchecked Sendable {  // done by one thread, as what is carried is used by one
        let run: () -> Void
    }

    /// The one that a task is about to wait for, within the call that makes its request.
    @TaskLocal static var current: AwaitedRequest?

    private let state = InlineLocked(State())

    func connect(to request: any Cancellable) {
        state.withLock { $0.link.connected(to: request) }?.cancel()
    }

    /// Has the task do `work` if it waits; else it is done here and now, since whoever made the task busy may in turn wait for the work.
    func perform(_ work: @escaping () -> Void) {
        let waiting = state.withLock { state in
            if state.waiting != nil { state.work = Work(run: work) }
            return state.waiting.take()
        }
        if let waiting { waiting.resume() } else { work() }
    }

    /// The first outcome counts.
    func ended(_ result: Result<Response, MoyaError>) {
        let (waiting, request) = state.withLock { state -> (UnsafeContinuation<Void, Never>?, Carried<(any Cancellable)?>) in
            guard state.link.settles() else { return (nil, Carried(nil)) }
            state.hasEnded = true
            state.outcome = result
            return (state.waiting.take(), Carried(state.link.letGo()))
        }
        // What an override made may call back when it is let go of: not under the lock.
        withExtendedLifetime(request) {}
        waiting?.resume()
    }

    /// The task is cancelled.
    func cancel() {
        state.withLock { $0.link.cancelled() }?.cancel()
    }

    // MARK: For the task

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Waits, and does the work, on the caller's actor if it has one.
    func waitForEnd(isolation: isolated (any Actor)? = #isolation) async {
        // Around the work, too: cancelling reaches the request while the task is busy with it.
        await withTaskCancellationHandler {
            // Named, so that this closure is the actor's.
            _ = isolation
            repeat {
                await withUnsafeContinuation { resumes($0) }
                doWork()
            } while !hasEnded
        } onCancel: {
            cancel()
        }
    }

    /// What work or an outcome resumes, at once if the outcome is there.
    func resumes(_ continuation: UnsafeContinuation<Void, Never>) {
        let hasEnded = state.withLock { state in
            guard !state.hasEnded else { return true }
            state.waiting = continuation
            return false
        }
        if hasEnded { continuation.resume() }
    }

    /// Does the work for which the task was resumed, if that was it.
    func doWork() {
        state.withLock { $0.work.take() }?.run()
    }

    /// The outcome, once. It is not kept: tasks that were begun with the request inherit ``current``, and may go on for long.
    func takeOutcome() -> Result<Response, MoyaError> {
        state.withLock { state in state.link.translated(state.outcome.take() ?? .failure(.cancelledInFlight)) }
    }
}
