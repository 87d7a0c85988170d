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

    init(_ scheduler: any Scheduler, _ lifetime: Lifetime, _ sink: @escaping Sink<Value, Error>) {
        self.scheduler = scheduler
        self.sink = sink
        lifetime.disposables.insert(unchecked: { [weak self] in self?.interrupt() })
    }

    func schedule(_ event: Signal<Value, Error>.Event) {
        scheduler.schedule(assumeSendable { self.deliver(event) })
    }

    /// Sends an event, if the stage is not over. On the scheduler only.
    func deliver(_ event: Signal<Value, Error>.Event) {
        if event.isTerminating {
            guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        } else {
            guard !isOver.load(ordering: .acquiring) else { return }
        }
        sink(event)
    }

    func interrupt() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        scheduler.schedule(assumeSendable { self.sink(.interrupted) })
    }
}
