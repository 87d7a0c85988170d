// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// An `HTTPTransport` that touches no network: it answers from a queue, then from a handler, and records what it was asked.
///
/// It refuses what every transport refuses, reads bodies to their end before it answers, honours each `ContentDisposition`, back-pressure,
/// suspension and cancelling, and ends each transfer exactly once. Time limits are not its own: script an error of that kind.
public final class ScriptedTransport: HTTPTransport {
    /// A request as the transport got it.
    public struct Message: Sendable {
        /// The request.
        public let request: HTTPRequest
        /// What the session told the transport besides.
        public let options: TransferOptions
        /// The body's bytes.
        public let body: Data

        /// The request target (RFC 9112, 3.2.1): path and query.
        public var target: String {
            let path = request.url.path(percentEncoded: true)
            return (path.isEmpty ? "/" : path) + (request.url.query(percentEncoded: true).map { "?" + $0 } ?? "")
        }
    }

    private struct State: Sendable {
        var script: ArraySlice<ScriptedAnswer> = []
        var messages: [Message] = []
        var live: [ObjectIdentifier: ScriptedTransfer] = [:]
        var isShutDown = false
    }

    /// All of `TransportCapabilities`' but NTLM and Negotiate, unless the initializer was told otherwise.
    public let capabilities: TransportCapabilities
    /// `gzip`, unless the initializer was told otherwise; content is scripted as if its coding were undone already.
    public let acceptedContentCodings: String?
    private let handler: (@Sendable (Message) -> ScriptedAnswer)?
    private let state = Watched(State())

    /// A transport that answers what its queue does not with `handler`, or with 404 without one.
    public init(
        capabilities: TransportCapabilities = TransportCapabilities(rawValue: .max).subtracting(.transportAuthentication),
        acceptedContentCodings: String? = "gzip", handler: (@Sendable (Message) -> ScriptedAnswer)? = nil
    ) {
        self.capabilities = capabilities
        self.acceptedContentCodings = acceptedContentCodings
        self.handler = handler
    }

    /// Adds answers at the end of the queue, one for each request whose body has been read.
    public func enqueue(_ answers: ScriptedAnswer...) {
        state.change { $0.script.append(contentsOf: answers) }
    }

    /// How many answers in the queue no request has taken.
    public var unusedAnswerCount: Int { state.read { $0.script.count } }

    /// The requests whose bodies have been read, in that order.
    public var messages: [Message] { state.read { $0.messages } }

    /// How many transfers have not ended.
    public var liveTransferCount: Int { state.read { $0.live.count } }

    /// Counts transfers that have not ended, for ``withLeakCheck(_:deadline:isolation:_:)``.
    public var leakCounter: LeakCounter {
        LeakCounter("scripted transfers") { [weak self] in self?.liveTransferCount ?? 0 }
    }

    /// Returns when `count` requests, in all, have been read to their end, with all of them.
    /// - Throws: `CancellationError` when the task is cancelled first.
    @discardableResult
    public func waitForMessages(count: Int) async throws -> [Message] {
        try await state.wait { $0.messages.count >= count }
        return messages
    }

    // MARK: HTTPTransport

    /// Begins a transfer on a task of its own.
    public func start(_ request: HTTPRequest, options: TransferOptions, receiver: any TransferReceiver) -> any TransferControl {
        let transfer = ScriptedTransfer(request, options: options, receiver: receiver)
        let isShutDown = state.change { state in
            if !state.isShutDown { state.live[ObjectIdentifier(transfer)] = transfer }
            return state.isShutDown
        }
        let refusal =
            isShutDown
            ? HTTPError(.shutDown, attempting: request.redactedDescription, "the transport was shut down") : request.validated()
        transfer.run(
            refusal: refusal,
            answer: { [self] body in answer(Message(request: request, options: options, body: body)) },
            ended: { [state] in state.change { _ = $0.live.removeValue(forKey: ObjectIdentifier(transfer)) } })
        return transfer
    }

    /// Refuses further transfers and, if told so, cancels those under way.
    public func shutDown(cancellingTransfers: Bool) {
        let live = state.change { state in
            state.isShutDown = true
            return state.live.values
        }
        guard cancellingTransfers else { return }
        for transfer in live { transfer.cancel() }
    }

    private func answer(_ message: Message) -> ScriptedAnswer {
        let scripted = state.change { state in
            state.messages.append(message)
            return state.script.popFirst()
        }
        return scripted ?? handler?(message) ?? .status(404)
    }
}
