// SPDX-License-Identifier: MIT

import Foundation

extension Signal {
    /// Fails on `scheduler` with `error` if the signal has not terminated `interval` seconds from now. Values do not restart the clock.
    /// Negative intervals trap.
    public func timeout(after interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler) -> Signal<Value, Error> {
        precondition(interval >= 0, "A timeout must not be negative")
        return Signal(.inTurn) { observer, lifetime in
            let date = scheduler.currentDate.addingTimeInterval(interval)
            lifetime += scheduler.schedule(after: date, action: assumeSendable { observer.send(error: error) })
            lifetime.follow(self, observer)
        }
    }
}

extension SignalProducer {
    /// Fails on `scheduler` with `error` if a start has not terminated after `interval` seconds. Values do not restart the clock.
    /// Negative intervals trap.
    public func timeout(
        after interval: TimeInterval, raising error: Error, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        precondition(interval >= 0, "A timeout must not be negative")
        return liftUnchecked({ $0.timeout(after: interval, raising: error, on: scheduler) })
    }
}

extension Signal where Error == Never {
    /// Fails on `scheduler` with `error` if there is no end after `interval` seconds. Values do not restart the clock. Negative intervals
    /// trap.
    public func timeout<NewError>(
        after interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> Signal<Value, NewError> {
        promoteError(NewError.self).timeout(after: interval, raising: error, on: scheduler)
    }
}

extension SignalProducer where Error == Never {
    /// Fails on `scheduler` with `error` if there is no end after `interval` seconds. Values do not restart the clock. Negative intervals
    /// trap.
    public func timeout<NewError>(
        after interval: TimeInterval, raising error: NewError, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, NewError> {
        promoteError(NewError.self).timeout(after: interval, raising: error, on: scheduler)
    }
}
