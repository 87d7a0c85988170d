// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// One transfer of a ``ScriptedTransport``: a task that speaks to the receiver, and what steers it from outside.
final class ScriptedTransfer: TransferControl {
    private struct Steering: Sendable {
        var isSuspended = false
        var isCancelled = false
        var disposition: ContentDisposition?
        var demandsContent = true
    }

    private let request: HTTPRequest
    private let options: TransferOptions
    /// `nil` after the end: whoever holds the control does not hold the receiver.
    private let listener: Locked<(any TransferReceiver)?>
    private let steering = Watched(Steering())
    private let task = Locked<Task<Void, Never>?>(nil)

    init(_ request: HTTPRequest, options: TransferOptions, receiver: any TransferReceiver) {
        self.request = request
        self.options = options
        listener = Locked(receiver)
    }

    func run(
        refusal: HTTPError?, answer: @escaping @Sendable (Data) -> ScriptedAnswer, ended: @escaping @Sendable () -> Void
    ) {
        let task = Task {
            let outcome = await outcome(refusal: refusal, answer: answer)
            let receiver = listener.withLock { listener in
                defer { listener = nil }
                return listener
            }
            ended()
            receiver?.transferDidFinish(outcome)
        }
        self.task.withLock { $0 = task }
        // Somebody may have cancelled between the two lines above.
        if steering.read({ $0.isCancelled }) { task.cancel() }
    }

    private var receiver: (any TransferReceiver)? { listener.withLock { $0 } }

    // MARK: TransferControl

    func cancel() {
        steering.change { $0.isCancelled = true }
        task.withLock { $0 }?.cancel()
    }

    func suspend() { steering.change { $0.isSuspended = true } }
    func resume() { steering.change { $0.isSuspended = false } }
    func decide(_ disposition: ContentDisposition) {
        steering.change { steering in
            if steering.disposition == nil { steering.disposition = disposition }
        }
    }
    func requestMoreContent() { steering.change { $0.demandsContent = true } }

    // MARK: The task

    private func outcome(refusal: HTTPError?, answer: @Sendable (Data) -> ScriptedAnswer) async -> TransferOutcome {
        if let refusal { return TransferOutcome(error: refusal) }
        var sink = ContentSink()
        do {
            return try await exchange(answer, &sink)
        } catch let error as HTTPError {
            return sink.outcome(error: error)
        } catch {
            return sink.outcome(
                error: HTTPError(.cancelled, attempting: request.redactedDescription, "the transfer was cancelled"))
        }
    }

    private func exchange(_ answer: @Sendable (Data) -> ScriptedAnswer, _ sink: inout ContentSink) async throws -> TransferOutcome {
        let reader = BodyReader(request)
        let body = try await reader.readAll { count in
            guard self.options.reportsProgress else { return }
            self.receiver?.transferDidProgress(TransferProgress(bytesSent: count, bytesToSend: self.request.body?.length))
        }
        let answer = answer(body)
        try await answer.headGate?.pass()
        try await proceed()
        for head in answer.interimHeads { receiver?.transferDidReceiveInterimHead(head) }
        guard let head = answer.head else {
            throw answer.error ?? HTTPError(.noResponse, attempting: request.redactedDescription, "the script has no head")
        }
        let disposition = try await settle(receiver?.transferDidReceiveHead(head) ?? .cancel)
        try sink.begin(disposition, attempt: request.redactedDescription)
        for piece in answer.pieces where !piece.isEmpty {
            try await answer.pieceGate?.pass()
            try await proceed()
            switch try sink.take(piece, attempt: request.redactedDescription) {
            case .stop: return sink.outcome(error: nil)
            case .deliver: try await deliver(piece)
            case .keep: break
            }
            reportReceived(sink.byteCount, sent: Int64(body.count), head)
        }
        try await answer.pieceGate?.pass()
        try await proceed()
        var outcome = sink.outcome(error: answer.error)
        outcome.trailers = answer.trailers
        outcome.metrics = answer.metrics
        return outcome
    }

    private func reportReceived(_ count: Int64, sent: Int64, _ head: HTTPResponseHead) {
        guard options.reportsProgress else { return }
        receiver?.transferDidProgress(
            TransferProgress(
                bytesSent: sent, bytesToSend: request.body?.length, bytesReceived: count,
                bytesToReceive: head.value(for: "Content-Length").flatMap { Int64($0) }))
    }

    /// Goes on unless the transfer is suspended or cancelled.
    private func proceed() async throws {
        try await steering.wait { !$0.isSuspended || $0.isCancelled }
        try checkCancelled()
    }

    private func settle(_ disposition: ContentDisposition) async throws -> ContentDisposition {
        var settled = disposition
        if case .wait = settled {
            try await steering.wait { $0.disposition != nil || $0.isCancelled }
            settled = steering.read { $0.disposition } ?? .cancel
        }
        if case .cancel = settled { throw CancellationError() }
        try checkCancelled()
        return settled
    }

    private func deliver(_ piece: Data) async throws {
        // Before the call: its receiver may ask for more, from another thread, before the call returns.
        steering.change { $0.demandsContent = false }
        guard receiver?.transferDidReceiveContent(piece) == .pause else { return }
        try await steering.wait { $0.demandsContent || $0.isCancelled }
        try checkCancelled()
    }

    private func checkCancelled() throws {
        if steering.read({ $0.isCancelled }) { throw CancellationError() }
    }
}
