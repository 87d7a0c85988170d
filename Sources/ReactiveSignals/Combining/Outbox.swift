// SPDX-License-Identifier: MIT

/// Puts the events of several streams into one order, without holding a lock while it sends.
///
/// Who posts while another post is being sent leaves the event to that sender. An owner uses either ``post(_:)-(Event)`` or ``enqueue(_:)``
/// with ``flush()``, never both: a post does not wait for what is queued.
final class Outbox<Value, Error: Swift.Error>: @unchecked Sendable {  // variables are touched only under the lock
    typealias Event = Signal<Value, Error>.Event

    private let lock = Lock()
    private let observer: Signal<Value, Error>.Observer
    private var isSending = false
    private var queue = ContiguousArray<Event>()
    private var hasQueue = false
    // The first event in line; mostly the only one, which saves allocating an array.
    private var next: Event?

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
            append(event)
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

    /// Queues an event for the next ``flush()``.
    func enqueue(_ event: Event) {
        lock.lock()
        append(event)
        lock.unlock()
    }

    /// Queues events for the next ``flush()``.
    func enqueue(all events: ContiguousArray<Event>) {
        guard !events.isEmpty else { return }
        lock.lock()
        for event in events { append(event) }
        lock.unlock()
    }

    /// Called with the lock held.
    @inline(__always)
    private func append(_ event: Event) {
        if next == nil {
            next = event
        } else {
            queue.append(event)
            hasQueue = true
        }
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
        while true {
            // What was sent is released before the lock is taken again: it may be the last reference.
            do {
                guard let event = next else { break }
                next = nil
                if hasQueue {
                    let batch = queue
                    queue = []
                    hasQueue = false
                    lock.unlock()
                    observer.send(event)
                    for event in batch { observer.send(event) }
                } else {
                    lock.unlock()
                    observer.send(event)
                }
            }
            lock.lock()
        }
        isSending = false
        lock.unlock()
    }
}
