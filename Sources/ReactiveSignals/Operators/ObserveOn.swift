// SPDX-License-Identifier: MIT

import Foundation

extension Operators {
    static func observe<V, E>(on scheduler: any Scheduler) -> Transform<V, E, V, E> {
        { sink, lifetime in
            let stage = SchedulerStage(scheduler, lifetime(), sink)
            return Sink(
                value: stage.schedule(value:),
                end: { end in
                    if case .interrupted = end {
                        stage.interrupt()
                    } else {
                        stage.schedule(Signal<V, E>.Event(end))
                    }
                })
        }
    }

    static func delay<V, E>(_ interval: TimeInterval, on scheduler: any DateScheduler) -> Transform<V, E, V, E> {
        { sink, lifetime in
            let stage = SchedulerStage(scheduler, lifetime(), sink)
            return Sink { event in
                switch event {
                case .value, .completed:
                    let date = scheduler.currentDate.addingTimeInterval(interval)
                    scheduler.schedule(after: date, action: assumeSendable { stage.deliver(event) })
                case .failed: stage.schedule(event)
                case .interrupted: stage.interrupt()
                }
            }
        }
    }
}

extension Signal {
    /// Hands every event over to `scheduler`. Disposal discards what waits there.
    public func observe(on scheduler: any Scheduler) -> Signal<Value, Error> {
        applying(Operators.observe(on: scheduler))
    }

    /// Sends values and the completion `interval` seconds later, a failure at once; all on `scheduler`. Negative intervals trap.
    public func delay(_ interval: TimeInterval, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        precondition(interval >= 0, "A delay must not be negative")
        return applying(Operators.delay(interval, on: scheduler))
    }
}

extension SignalProducer {
    /// Hands every event over to `scheduler`. Disposal discards what waits there.
    public func observe(on scheduler: any Scheduler) -> SignalProducer<Value, Error> {
        applying(Operators.observe(on: scheduler))
    }

    /// Sends values and the completion `interval` seconds later, a failure at once; all on `scheduler`. Negative intervals trap.
    public func delay(_ interval: TimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        precondition(interval >= 0, "A delay must not be negative")
        return applying(Operators.delay(interval, on: scheduler))
    }
}
