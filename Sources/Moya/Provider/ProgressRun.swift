// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// One request of a ``ProgressResponses``; letting go of it cancels the request.
final class ProgressRun: Sendable {
    typealias Next = Result<ProgressResponse?, MoyaError>

    private let queue = Locked(ProgressQueue<@Sendable (Next) -> Void>())
    private let link = Locked(CancellationLink())

    func start<Target: TargetType>(_ provider: MoyaProvider<Target>, _ target: Target) {
        let queue = queue
        let link = link
        let request = provider.request(
            target, callbackQueue: Delivery.inlineQueue,
            progress: { step in
                // The last step comes with the response that the plugins have not processed yet; the completion has the right one.
                if let waiting = queue.withLock({ $0.stepped(step) }) { waiting.consumer(waiting.next) }
            },
            completion: { result in
                let end = link.withLock { link in
                    link.settles() ? (outcome: link.translated(result), request: Carried(link.letGo())) : nil
                }
                guard let end else { return }
                if let waiting = queue.withLock({ $0.ended(end.outcome) }) { waiting.consumer(waiting.next) }
            })
        link.withLock { $0.connected(to: request) }?.cancel()
    }

    private func cancel() {
        link.withLock { $0.cancelled() }?.cancel()
    }

    func next() async -> Next {
        await awaitingCallback(onCancel: { [link] in link.withLock { $0.cancelled() }?.cancel() }) { callback in
            if let next = queue.withLock({ $0.asked(by: callback) }) { callback(next) }
        }
    }

    deinit {
        cancel()
    }
}

/// Steps that wait for a consumer, or a consumer that waits for steps.
struct ProgressQueue<Consumer> {
    typealias Next = Result<ProgressResponse?, MoyaError>

    private static var limit: Int { 100 }

    private var steps: [ProgressResponse] = []
    private var lastProgress: Progress?
    private var end: Result<Response, MoyaError>?
    private var consumer: Consumer?

    /// A consumer with what it waited for.
    struct Handover {
        let consumer: Consumer
        let next: Next
    }

    /// The transfer made a step.
    mutating func stepped(_ step: ProgressResponse) -> Handover? {
        lastProgress = step.progressObject ?? lastProgress
        guard !step.completed, end == nil else { return nil }
        if let consumer = consumer.take() { return Handover(consumer: consumer, next: .success(step)) }
        if steps.count == Self.limit { steps.removeFirst() }
        steps.append(step)
        return nil
    }

    /// The request has its outcome.
    mutating func ended(_ result: Result<Response, MoyaError>) -> Handover? {
        end = result
        guard let consumer = consumer.take() else { return nil }
        return Handover(consumer: consumer, next: last(result))
    }

    /// The consumer asks for the next element: it gets what is there, else it is kept.
    mutating func asked(by newConsumer: Consumer) -> Next? {
        if !steps.isEmpty { return .success(steps.removeFirst()) }
        if let end { return last(end) }
        consumer = newConsumer
        return nil
    }

    private func last(_ result: Result<Response, MoyaError>) -> Next {
        result.map { ProgressResponse(progress: lastProgress, response: $0) }
    }
}
