// SPDX-License-Identifier: MIT

import Synchronization

/// One start of a producer, as its operators see it: what ends with it, and what is interrupted when it ends early.
class StartScope: Upstream, @unchecked Sendable {  // variables are set before the work runs; the flag is atomic
    /// The scope of a start that nothing can end early.
    static let unending = StartScope()

    private let ended = Synchronization.Atomic<Bool>(false)
    private var made: CompositeDisposable?

    /// What the events come from. Set while the start is prepared.
    final var upstream: Upstream?

    /// Whether the start was disposed of or has terminated. Work that runs in a loop looks here.
    final var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// A lifetime that ends with the start, before the interruption travels down. Asked for while the start is prepared.
    final var lifetime: Lifetime {
        let disposables = made ?? CompositeDisposable()
        made = disposables
        return Lifetime(disposables)
    }

    /// Ends the start: what waits in operators is told first, then the source of the events is interrupted.
    override final func interrupt() {
        guard !ended.exchange(true, ordering: .acquiringAndReleasing) else { return }
        made?.dispose()
        upstream?.interrupt()
    }
}

/// The last stage of a start: passes events on to an observer until the first terminal one.
final class Gate<Value, Error: Swift.Error>: StartScope, @unchecked Sendable {  // who sets the flag releases the observer
    private let terminated = Synchronization.Atomic<Bool>(false)
    private var observer: Signal<Value, Error>.Observer?

    init(_ observer: Signal<Value, Error>.Observer) {
        self.observer = observer
    }

    var sink: Sink<Value, Error> { Sink(value: send(value:), end: send(end:)) }

    private func send(value: Value) {
        guard !terminated.load(ordering: .acquiring) else { return }
        observer?.send(value: value)
    }

    private func send(end: StreamEnd<Error>) {
        guard !terminated.exchange(true, ordering: .acquiringAndReleasing) else { return }
        observer?.send(end: end)
        interrupt()
        observer = nil
    }
}

/// What `start` returns. It keeps the input observer: a producer whose handler drops it lives as long as this.
final class StartHandle: Disposable, @unchecked Sendable {  // only the call that sets the flag first touches the variables
    private let disposed = Synchronization.Atomic<Bool>(false)
    private var target: Upstream?
    private var input: AnyObject?

    init(_ target: Upstream, input: AnyObject?) {
        self.target = target
        self.input = input
    }

    var isDisposed: Bool { disposed.load(ordering: .acquiring) }

    func dispose() {
        guard !disposed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        target?.interrupt()
        target = nil
        input = nil
    }
}
