// SPDX-License-Identifier: MIT

/// What can be told to give up: the part of a started producer that its downstream holds on to.
class Upstream {
    func interrupt() {}
}

extension Signal {
    /// How a core takes values that arrive while it hands one out.
    enum Delivery {
        /// Other threads wait for their turn; the same thread must not send.
        case inTurn
        /// As they come; whoever sends sees to it that calls do not overlap.
        case unserialized
        /// They are queued, and the thread that is handing out hands them out as well.
        case queued
    }

    /// The state of a signal, apart from the shell that is observed and the observer that sends.
    ///
    ///     alive ── first terminal event ──▶ ending ── handed out ──▶ ended
    ///       └──── nobody can observe ──────────────────────────────▶ ended, in silence
    final class Core: Upstream, @unchecked Sendable {  // its variables are touched only under its lock
        struct Attached {
            let id: UInt64
            let observer: Observer
        }

        /// In an object of its own: the layout of the core does not depend on the event's then.
        private final class Ending {
            let event: Event
            init(_ event: Event) { self.event = event }
        }

        private enum Phase: UInt8 { case alive, ending, ended }

        /// Disposed of when the signal has terminated.
        let disposables = CompositeDisposable()

        private let delivery: Delivery
        private let lock = Lock()
        private var phase = Phase.alive
        private var observers = ContiguousArray<Attached>()
        private var nextID: UInt64 = 0
        private var hasShell: Bool
        private var ending: Ending?
        private var isDelivering = false
        private var deliverer: ThreadIdentity?
        private var waiting = 0
        private var turn: Condition?
        private var queue = ContiguousArray<Value>()

        init(_ delivery: Delivery, hasShell: Bool) {
            self.delivery = delivery
            self.hasShell = hasShell
        }

        deinit {
            lock.destroy()
        }

        override func interrupt() {
            terminate(.interrupted)
        }

        func send(_ event: Event) {
            if case .value(let value) = event {
                send(value: value)
            } else {
                terminate(event)
            }
        }

        func send(value: Value) {
            switch delivery {
            case .inTurn: sendInTurn(value)
            case .unserialized: sendUnserialized(value)
            case .queued: sendQueued(value)
            }
        }

        // MARK: Observers

        /// Adds an observer; nil if it was interrupted at once, since the signal has terminated.
        func attach(_ observer: Observer) -> (any Disposable)? {
            lock.lock()
            guard phase == .alive else {
                lock.unlock()
                observer.sendInterrupted()
                return nil
            }
            let id = nextID
            nextID += 1
            observers.append(Attached(id: id, observer: observer))
            lock.unlock()
            return Observation(of: id, in: self)
        }

        /// The shell was released; nobody can observe from now on.
        func shellWasReleased() {
            lock.lock()
            hasShell = false
            endInSilenceIfUnreachable()
        }

        fileprivate func detach(_ id: UInt64) {
            lock.lock()
            var detached: Attached?
            if let index = observers.firstIndex(where: { $0.id == id }) {
                detached = observers.remove(at: index)
            }
            endInSilenceIfUnreachable()
            withExtendedLifetime(detached) {}
        }

        /// Called with the lock held, returns without it.
        private func endInSilenceIfUnreachable() {
            guard phase == .alive, !hasShell, observers.isEmpty else {
                lock.unlock()
                return
            }
            phase = .ended
            wakeThoseWaiting()
            lock.unlock()
            disposables.dispose()
        }

        // MARK: Values

        private func sendInTurn(_ value: Value) {
            lock.lock()
            while true {
                guard phase == .alive else {
                    lock.unlock()
                    return
                }
                guard isDelivering else { break }
                precondition(
                    deliverer != .current,
                    "A value was sent to a signal from inside its own delivery; make the signal with reentrantUnserialized")
                let turn = turn ?? Condition()
                self.turn = turn
                waiting += 1
                lock.wait(for: turn)
                waiting -= 1
            }
            isDelivering = true
            deliverer = .current
            let snapshot = observers
            lock.unlock()
            for attached in snapshot { attached.observer.send(value: value) }
            lock.lock()
            isDelivering = false
            guard phase != .ending else {
                handOutEnding()
                return
            }
            if waiting > 0 { turn?.signal() }
            lock.unlock()
        }

        private func sendUnserialized(_ value: Value) {
            lock.lock()
            guard phase == .alive else {
                lock.unlock()
                return
            }
            let snapshot = observers
            lock.unlock()
            for attached in snapshot { attached.observer.send(value: value) }
        }

        private func sendQueued(_ value: Value) {
            lock.lock()
            guard phase == .alive else {
                lock.unlock()
                return
            }
            guard !isDelivering else {
                queue.append(value)
                lock.unlock()
                return
            }
            isDelivering = true
            var batch: ContiguousArray<Value> = [value]
            while true {
                // Observers and values may use the signal when they are let go of: neither is while the lock is held.
                for value in batch {
                    do {
                        let snapshot = observers
                        lock.unlock()
                        for attached in snapshot { attached.observer.send(value: value) }
                    }
                    lock.lock()
                }
                guard !queue.isEmpty else { break }
                let next = queue
                queue.removeAll()
                lock.unlock()
                batch = next
                lock.lock()
            }
            isDelivering = false
            guard phase != .ending else {
                handOutEnding()
                return
            }
            lock.unlock()
        }

        // MARK: The end

        func terminate(_ event: Event) {
            lock.lock()
            guard phase == .alive else {
                lock.unlock()
                return
            }
            phase = .ending
            ending = Ending(event)
            guard !isDelivering else {
                // Whoever is handing out a value hands out the end after it.
                lock.unlock()
                return
            }
            handOutEnding()
        }

        /// Called with the lock held, returns without it.
        private func handOutEnding() {
            let snapshot = observers
            let event = ending?.event
            observers = []
            ending = nil
            phase = .ended
            wakeThoseWaiting()
            lock.unlock()
            if let event {
                for attached in snapshot { attached.observer.send(event) }
            }
            disposables.dispose()
            withExtendedLifetime(snapshot) {}
        }

        private func wakeThoseWaiting() {
            if waiting > 0 { turn?.broadcast() }
        }
    }

    /// What detaches an observer.
    private final class Observation: Disposable, @unchecked Sendable {  // its core is touched only under its lock
        private let id: UInt64
        private let core: Guarded<Core?>

        init(of id: UInt64, in core: Core) {
            self.id = id
            self.core = Guarded(core)
        }

        var isDisposed: Bool { core.withLock { $0 == nil } }

        func dispose() {
            let core = core.withLock { core in
                let attached = core
                core = nil
                return attached
            }
            core?.detach(id)
        }
    }
}
