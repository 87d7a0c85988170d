// SPDX-License-Identifier: MIT

import Foundation

extension SignalProducer where Value == Date, Error == Never {
    /// Sends the scheduler's time every `interval`, up to a tenth of it late, until disposed of.
    public static func timer(interval: DispatchTimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        timer(interval: interval, on: scheduler, leeway: interval.tenth)
    }

    /// Sends the scheduler's time every `interval`, up to `leeway` late, until disposed of. Negative intervals and leeways trap.
    public static func timer(
        interval: DispatchTimeInterval, on scheduler: any DateScheduler, leeway: DispatchTimeInterval
    ) -> SignalProducer<Value, Error> {
        precondition(interval.timeInterval >= 0, "A timer's interval must not be negative")
        precondition(leeway.timeInterval >= 0, "A timer's leeway must not be negative")
        return .handling { observer, lifetime in
            lifetime += scheduler.schedule(
                after: interval, interval: interval, leeway: leeway,
                action: assumeSendable { observer.send(value: scheduler.currentDate) })
        }
    }
}

extension SignalProducer where Error == Never {
    /// Sends the elements of a sequence one by one, each `interval` after the one before, and completes with the sequence.
    public static func interval<S: Sequence>(
        _ values: S, interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<S.Element, Never> where S.Element == Value {
        .handling { observer, lifetime in
            var iterator = values.makeIterator()
            lifetime += scheduler.schedule(
                after: interval, interval: interval,
                action: assumeSendable {
                    if let value = iterator.next() {
                        observer.send(value: value)
                    } else {
                        observer.sendCompleted()
                    }
                })
        }
    }
}

extension SignalProducer where Value == Int, Error == Never {
    /// Counts from 0, one number every `interval`, until disposed of.
    public static func interval(_ interval: DispatchTimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Int, Never> {
        .interval(0..., interval: interval, on: scheduler)
    }
}
