// SPDX-License-Identifier: MIT

import Foundation

/// Where the callbacks of a request are called.
enum Delivery: Sendable {
    /// On the thread that has the news.
    case inline
    /// By the task that waits.
    case task(AwaitedRequest)
    /// On a queue, in the order of the news.
    case queue(DispatchQueue)

    /// Stands for ``inline`` where the interface asks for a queue. It is a real queue, so that an override that uses it works.
    static let inlineQueue = DispatchQueue(label: "openmoya.inline", attributes: .concurrent)

    /// - Parameters:
    ///   - queue: what the caller or the provider named.
    ///   - keepsOrder: whether more than one callback comes. A queue that may be concurrent then gets a serial one on top.
    ///   - awaited: the request as a task waits for it, if it does, and nobody else waits for it.
    init(on queue: DispatchQueue?, for stubBehavior: StubBehavior, keepsOrder: Bool, awaited: AwaitedRequest? = nil) {
        guard let queue else {
            // An immediate stub without a queue has answered when `request` returns.
            self = if case .immediate = stubBehavior { .inline } else { .queue(.main) }
            return
        }
        if queue === Self.inlineQueue {
            // One task cannot keep the order of what it does itself and what is done while it is busy.
            self = keepsOrder ? .inline : awaited.map(Delivery.task) ?? .inline
        } else if keepsOrder, queue !== DispatchQueue.main {
            self = .queue(DispatchQueue(label: "openmoya.callbacks", target: queue))
        } else {
            self = .queue(queue)
        }
    }

    /// Calls `work` in its place.
    func perform(_ work: @escaping () -> Void) {
        switch self {
        case .inline: work()
        case .task(let awaited): awaited.perform(work)
        case .queue(let queue):
            let work = Carried(work)
            queue.async { work.value() }
        }
    }

    /// Calls `work` in its place, at once if that is where the caller is.
    func perform(from current: Delivery, _ work: @escaping () -> Void) {
        if case .queue(let queue) = self, case .queue(let currentQueue) = current, queue === currentQueue {
            work()
        } else {
            perform(work)
        }
    }
}
