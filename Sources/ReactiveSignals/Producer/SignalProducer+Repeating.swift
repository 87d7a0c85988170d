// SPDX-License-Identifier: MIT

import Foundation

/// Starts a producer again and again, on no deeper stack if a start ends while it is being started.
private final class Restarts<Value, Error: Swift.Error>: @unchecked Sendable {  // the state has its lock
    private let core: ProducerCore<Value, Error>
    private let observer: Signal<Value, Error>.Observer
    private let current = SerialDisposable()
    private let state = Guarded((isStarting: false, startsAgain: false))
    /// Sees the end of a start and returns what to send; nil if it has taken care of the rest.
    private let ended: (Signal<Value, Error>.Event, Restarts) -> Signal<Value, Error>.Event?

    init(
        _ core: ProducerCore<Value, Error>, _ observer: Signal<Value, Error>.Observer, _ lifetime: Lifetime,
        ended: @escaping (Signal<Value, Error>.Event, Restarts) -> Signal<Value, Error>.Event?
    ) {
        self.core = core
        self.observer = observer
        self.ended = ended
        lifetime.disposables.insert(current)
    }

    func start() {
        let isStarting = state.withLock { state in
            let isStarting = state.isStarting
            state = (true, isStarting)
            return isStarting
        }
        guard !isStarting else { return }
        repeat {
            startOnce()
        } while goesOn()
    }

    private func goesOn() -> Bool {
        state.withLock { state in
            let startsAgain = state.startsAgain
            state = (startsAgain, false)
            return startsAgain
        }
    }

    private func startOnce() {
        let (handle, run) = core.connect(
            .unchecked { [self] event in
                if !event.isTerminating {
                    observer.send(event)
                } else if let event = ended(event, self) {
                    observer.send(event)
                }
            })
        current.inner = handle
        if !handle.isDisposed { run() }
    }
}

extension SignalProducer {
    /// Starts `count` times, each time after the completion of the one before. Negative counts trap.
    public func `repeat`(_ count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "The number of starts must not be negative")
        guard count > 0 else { return .empty }
        guard count > 1 else { return self }
        return .handling { observer, lifetime in
            let remaining = Guarded(count)
            let restarts = Restarts(core, observer, lifetime) { event, restarts in
                guard case .completed = event else { return event }
                let isLast = remaining.withLock { remaining in
                    remaining -= 1
                    return remaining == 0
                }
                guard !isLast else { return .completed }
                restarts.start()
                return nil
            }
            restarts.start()
        }
    }

    /// Starts again after a failure, up to `count` times; then sends the last failure. Negative counts trap.
    public func retry(upTo count: Int) -> SignalProducer<Value, Error> {
        retry(upTo: count) { _, restart in restart() }
    }

    /// Starts again `interval` seconds after a failure, up to `count` times; then sends the last failure at once. Negative counts trap.
    public func retry(upTo count: Int, interval: TimeInterval, on scheduler: any DateScheduler) -> SignalProducer<Value, Error> {
        retry(upTo: count) { lifetime, restart in
            let date = scheduler.currentDate.addingTimeInterval(interval)
            lifetime += scheduler.schedule(after: date, action: assumeSendable(restart))
        }
    }

    private func retry(
        upTo count: Int, _ restart: @escaping (Lifetime, @escaping () -> Void) -> Void
    ) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "The number of retries must not be negative")
        guard count > 0 else { return self }
        return .handling { observer, lifetime in
            let remaining = Guarded(count)
            let restarts = Restarts(core, observer, lifetime) { event, restarts in
                guard case .failed = event else { return event }
                let isLast = remaining.withLock { remaining in
                    guard remaining > 0 else { return true }
                    remaining -= 1
                    return false
                }
                guard !isLast else { return event }
                restart(lifetime, restarts.start)
                return nil
            }
            restarts.start()
        }
    }
}
