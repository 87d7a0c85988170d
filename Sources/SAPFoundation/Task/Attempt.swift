// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One start of a task's request, up to a response, a failure or a resend: takes what the exchange asks and reports to the pipeline's
/// queue.
final class Attempt: MessageExchangeDelegate {
    private struct State {
        var exchange: MessageExchange?
        var isAbandoned = false
        /// Content that the delegate has not been given yet, in bytes.
        var pendingBytes = 0
        var isPaused = false
        var file: URL?
        var head: HTTPResponseHead?
    }

    /// Beyond this the server is made to wait for the delegate.
    private static let pendingLimit = 1 << 20

    private let pipeline: TaskPipeline
    private let state = Locked(State())

    init(_ pipeline: TaskPipeline) { self.pipeline = pipeline }

    // MARK: From the pipeline

    func start(_ exchange: MessageExchange) {
        state.withLock { $0.exchange = exchange }
        exchange.start()
    }

    func steer() { exchange?.steer() }
    func decide(_ disposition: ContentDisposition) { exchange?.decide(disposition) }

    /// The content goes into a file, which is removed if the attempt is abandoned.
    func collect(into file: URL, appending: Bool) {
        state.withLock { $0.file = file }
        decide(.file(file, appending: appending))
    }

    /// The head of the response that is delivered.
    var head: HTTPResponseHead? { state.withLock { $0.head } }

    /// Ends the exchange; its end is still reported.
    func cancel() { exchange?.cancel() }

    /// Nothing of this attempt is wanted any more. Without `cancelling`, whoever calls lets the response go by itself.
    func abandon(cancelling: Bool) {
        let exchange = state.withLock { state in
            state.isAbandoned = true
            return state.exchange
        }
        if cancelling { exchange?.cancel() }
    }

    private var exchange: MessageExchange? { state.withLock { $0.exchange } }
    private var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// On the pipeline's queue, unless nobody wants to know any more.
    private func report(_ action: @escaping @Sendable (TaskPipeline) -> Void) {
        pipeline.queue.async { [self] in
            if !isAbandoned { action(pipeline) }
        }
    }

    // MARK: From the exchange, on the transport's thread

    var isHeld: Bool { pipeline.isHeld }

    func decide(
        aboutRedirectTo request: URLRequest, from response: HTTPURLResponse, _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard !isAbandoned else { return decide(nil) }
        report { $0.redirected(to: request, from: response, decide) }
    }

    func decide(about challenge: URLAuthenticationChallenge, _ decide: @escaping @Sendable (ChallengeDecision) -> Void) {
        guard !isAbandoned else {
            // Others may wait for the answer about a server, which this task no longer has.
            return challenge.serverCertificates == nil ? decide(.rejectProtectionSpace) : cancel()
        }
        report { $0.challenged(challenge, decide) }
    }

    func exchangeDidReceive(_ response: ReceivedResponse) -> ContentDisposition {
        // So that the connection can be used again.
        guard !isAbandoned else { return .discard(limit: 65_536) }
        state.withLock { $0.head = response.head }
        report { $0.received(response.urlResponse) }
        return .wait
    }

    func exchangeDidReceive(content bytes: Data) -> ContentDemand {
        let isPaused = state.withLock { state in
            guard !state.isAbandoned else { return false }
            state.pendingBytes += bytes.count
            state.isPaused = state.pendingBytes > Self.pendingLimit
            return state.isPaused
        }
        pipeline.deliver(bytes) { [self] in
            let exchange = state.withLock { state in
                state.pendingBytes -= bytes.count
                guard state.isPaused, state.pendingBytes <= Self.pendingLimit / 2 else { return MessageExchange?.none }
                state.isPaused = false
                return state.exchange
            }
            exchange?.requestMoreContent()
        } isWanted: { [self] in
            !isAbandoned
        }
        return isPaused ? .pause : .more
    }

    func exchangeNeedsNewBody(_ supply: @escaping @Sendable (HTTPBody?) -> Void) {
        guard !isAbandoned else { return supply(nil) }
        report { $0.needsNewBody(supply) }
    }

    func exchangeDidProgress(_ progress: TransferProgress) {}

    func exchangeDidFinish(_ outcome: TransferOutcome) {
        report { [self] in $0.ended(outcome, self) }
        let file = state.withLock { state in
            state.exchange = nil
            return state.isAbandoned ? state.file : nil
        }
        if let file { try? FileManager.default.removeItem(at: file) }
    }
}
