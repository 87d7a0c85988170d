// SPDX-License-Identifier: MIT

/// Puts the events of several streams into one order, without holding a lock while it sends.
///
/// Who posts while another post is being sent leaves the event to that sender.
final class Outbox<Value, Error: Swift.Error>: @unchecked Sendable {  // variables are touched only under the lock
    typealias Event = Signal<Value, Error>.Event

    private let lock = Lock()
    private let observer: Signal<Value, Error>.Observer
    private var queue = ContiguousArray<Event>()
    private var isSending = false

    init(_ observer: Signal<Value, Error>.Observer) {
        self.observer = observer
    }

    deinit {
        lock.destroy()
    }

    /// Sends what `decide` returns, which runs under the lock and must be the package's own code.
    func post(_ decide: () -> Event?) {
        lock.lock()
        guard let event = decide() else {
            lock.unlock()
            return
        }
        guard !isSending else {
            queue.append(event)
            lock.unlock()
            return
        }
        isSending = true
        lock.unlock()
        observer.send(event)
        lock.lock()
        sendQueue()
    }

    func post(_ event: Event) {
        post { event }
    }

    /// Queues events for the next ``flush()``.
    func enqueue(_ events: some Sequence<Event>) {
        lock.lock()
        queue.append(contentsOf: events)
        lock.unlock()
    }

    /// Sends what is queued.
    func flush() {
        lock.lock()
        guard !isSending else {
            lock.unlock()
            return
        }
        isSending = true
        sendQueue()
    }

    /// Called with the lock held, returns without it.
    private func sendQueue() {
        while !queue.isEmpty {
            let batch = queue
            queue = []
            lock.unlock()
            for event in batch { observer.send(event) }
            lock.lock()
        }
        isSending = false
        lock.unlock()
    }
}
