// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// The last step of an operator that hands events over to a scheduler.
///
/// An interruption, or the end of the stream's lifetime, discards what was scheduled before and is itself delivered on the scheduler, once.
final class SchedulerStage<Value, Error: Swift.Error>: @unchecked Sendable {  // constants and an atomic
    private let sink: Sink<Value, Error>
    private let scheduler: any Scheduler
    private let isOver = Synchronization.Atomic<Bool>(false)

    init(_ scheduler: any Scheduler, _ lifetime: Lifetime, _ sink: Sink<Value, Error>) {
        self.scheduler = scheduler
        self.sink = sink
        lifetime.disposables.insert(unchecked: { [weak self] in self?.interrupt() })
    }

    func schedule(_ event: Signal<Value, Error>.Event) {
        nonisolated(unsafe) let event = event
        scheduler.schedule { self.deliver(event) }
    }

    func schedule(value: Value) {
        nonisolated(unsafe) let value = value
        scheduler.schedule { self.deliver(value: value) }
    }

    /// Sends an event, if the stage is not over. On the scheduler only.
    func deliver(_ event: Signal<Value, Error>.Event) {
        if case .value(let value) = event {
            deliver(value: value)
        } else {
            guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
            sink(event)
        }
    }

    private func deliver(value: Value) {
        guard !isOver.load(ordering: .acquiring) else { return }
        sink.value(value)
    }

    func interrupt() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        scheduler.schedule(assumeSendable { self.sink(.interrupted) })
    }
}
