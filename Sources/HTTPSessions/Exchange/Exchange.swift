// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and the messages that follow from it, until a response is delivered or something fails.
///
/// At most one transfer is under way; the next one starts when it has ended. What an exchange may do next is decided under its lock and
/// done outside it.
final class Exchange: TransferReceiver, Sendable {
    private struct State {
        /// What the caller asked for, or a redirect made of it; stages work on a copy.
        var base: HTTPRequest
        /// What was sent last.
        var sent: HTTPRequest?
        var options: TransferOptions
        var redirectCount = 0
        var transferCount = 0
        var control: (any TransferControl)?
        var rare: Rare?
        /// What follows when the transfer has ended.
        var next: Next = .finish(nil)
        /// How many questions about what follows are open: the answer to one may be another.
        var questionCount: UInt8 = 0
        /// Whether nothing of the base's body was read yet.
        var bodyIsNew = false
        /// Whether the response that is delivered has arrived.
        var isDelivering = false
        /// Whether a message waits until the owner is no longer held.
        var startIsHeld = false
        var isCancelled = false
        var isFinished = false

        mutating func madeRare() -> Rare {
            if let rare { return rare }
            let rare = Rare()
            self.rare = rare
            return rare
        }
    }

    /// What few exchanges have, kept out of the others' way; reached only under the lock.
    private final class Rare {
        /// Made when credentials first matter.
        var authentication: AuthenticationExchange?
        /// Answers to challenges, for the next message.
        var answers = ChallengeAnswers()
        /// A decision that was made before the transfer's control was at hand.
        var earlyDisposition: ContentDisposition?
        /// How the transfer failed while somebody was asked: a server need not wait as long as a person takes.
        var endWhileAsking: TransferOutcome?
    }

    private enum Next {
        case finish(HTTPError?)
        case send
    }

    private let state: InlineLocked<State>
    private let transport: any HTTPTransport
    private let path: RequestPath
    private let started = ContinuousClock.now
    private let owner: any ExchangeDelegate
    /// Where the caller's own credentials belong: redirects may lead elsewhere.
    let firstURL: URL
    /// `nil` if nobody is asked about servers' certificates.
    private let inquiry: ServerTrustInquiry?
    let handlesCookies: Bool
    let mainDocumentURL: URL?

    /// The exchange holds its owner, and the owner lets go of the exchange when it has ended.
    init(
        _ request: HTTPRequest, options: TransferOptions, handlesCookies: Bool, mainDocumentURL: URL?, path: RequestPath,
        transport: any HTTPTransport, owner: any ExchangeDelegate, inquiry: ServerTrustInquiry? = nil
    ) {
        firstURL = request.url
        state = InlineLocked(State(base: request, options: options))
        self.path = path
        self.transport = transport
        self.owner = owner
        self.inquiry = inquiry
        self.handlesCookies = handlesCookies
        self.mainDocumentURL = mainDocumentURL
    }

    var delegate: any ExchangeDelegate { owner }
    /// What the caller asked for, or the redirect that is followed.
    var base: HTTPRequest { state.withLock { $0.base } }
    var redirectCount: Int { state.withLock { $0.redirectCount } }
    /// Whether credentials were sent, or asked for.
    var hasAuthentication: Bool { state.withLock { $0.rare?.authentication != nil } }

    /// Changes what is known of the exchange's authentication; `make` makes it if there is nothing yet.
    func withAuthentication<Result>(
        makeWith make: () -> AuthenticationExchange,
        _ body: (_ authentication: inout AuthenticationExchange, _ answers: inout ChallengeAnswers) throws -> Result
    ) rethrows -> Result {
        try state.withLock { state in
            let rare = state.madeRare()
            var authentication = rare.authentication ?? make()
            rare.authentication = nil
            defer { rare.authentication = authentication }
            return try body(&authentication, &rare.answers)
        }
    }

    // MARK: Steering, from any thread

    /// Sends the next message, unless the owner is held: then ``steer()`` sends it.
    func start() {
        guard owner.isHeld else { return sendMessage() }
        let isCancelled = state.withLock { state in
            state.startIsHeld = !state.isCancelled
            return state.isCancelled
        }
        isCancelled ? sendMessage() : steer()
    }

    func cancel() {
        let (control, hasNoTransfer) = state.withLock { state in
            state.isCancelled = true
            defer {
                state.startIsHeld = false
                state.rare?.endWhileAsking = nil
            }
            return (state.control, state.startIsHeld || state.rare?.endWhileAsking != nil)
        }
        if inquiry?.cancel() == true || hasNoTransfer { return finish(TransferOutcome(error: cancelledError)) }
        control?.cancel()
    }

    /// Suspends or resumes as the owner says.
    ///
    /// Threads that suspend and resume at the same time may get here in any order, so each looks again when it has acted: whoever acts last
    /// leaves the transfer as the owner wants it.
    func steer() {
        while true {
            let isHeld = owner.isHeld
            let (control, starts) = state.withLock { state in
                let starts = state.startIsHeld && !isHeld
                if starts { state.startIsHeld = false }
                return (state.control, starts)
            }
            if starts {
                sendMessage()
            } else if isHeld {
                control?.suspend()
            } else {
                control?.resume()
            }
            if owner.isHeld == isHeld { return }
        }
    }

    func requestMoreContent() {
        state.withLock { $0.control }?.requestMoreContent()
    }

    /// The disposition that was put off with ``ContentDisposition/wait``.
    func decide(_ disposition: ContentDisposition) {
        // Once more put off: whoever asked for that decides.
        if case .wait = disposition { return }
        let control = state.withLock { state in
            if state.control == nil { state.madeRare().earlyDisposition = disposition }
            return state.control
        }
        control?.decide(disposition)
    }

    // MARK: Messages

    private func sendMessage() {
        var (message, options) = state.withLock { ($0.base, $0.options) }
        path.prepare(&message, options: &options, in: self)
        if let inquiry { options.chainRequirement = inquiry.requirement(for: message.url) }
        let (number, former) = state.withLock { state -> (Int?, (any TransferControl)?) in
            guard !state.isCancelled else { return (nil, nil) }
            state.sent = message
            state.bodyIsNew = false
            state.next = .finish(nil)
            state.rare?.earlyDisposition = nil
            state.transferCount += 1
            return (state.transferCount, state.control.take())
        }
        withExtendedLifetime(former) {}
        guard let number else { return finish(TransferOutcome(error: cancelledError)) }
        let control = transport.start(message, options: options, receiver: self)
        // The transfer may be over by now, and the next one under way.
        let (isCurrent, isCancelled, disposition) = state.withLock { state in
            guard state.transferCount == number, !state.isFinished else { return (false, false, ContentDisposition?.none) }
            state.control = control
            return (true, state.isCancelled, state.rare?.earlyDisposition)
        }
        guard isCurrent else { return }
        if isCancelled { return control.cancel() }
        if owner.isHeld { steer() }
        if let disposition { control.decide(disposition) }
    }

    /// The same, with the content anew where it would be sent again but can be read only once.
    private func renewingBody(of followUp: FollowUp) -> FollowUp {
        let body: HTTPBody?
        switch followUp {
        case .redirect(let request): body = request.body
        case .answer: body = base.body
        case .deliver, .ask, .fail: return followUp
        }
        guard body?.replay == .once, !state.withLock({ $0.bodyIsNew }) else { return followUp }
        return .ask { [self] decide in
            owner.exchange(
                self,
                needsNewBody: { [self] body in
                    guard let body else { return decide(.fail(bodyNotReplayable)) }
                    state.withLock { $0.bodyIsNew = true }
                    if case .redirect(var request) = followUp {
                        request.body = body
                        return decide(.redirect(request))
                    }
                    state.withLock { $0.base.body = body }
                    decide(.answer)
                })
        }
    }

    private var bodyNotReplayable: HTTPError {
        HTTPError(
            .bodyNotReplayable, attempting: base.redactedDescription,
            "the server's answer calls for the content to be sent again, but it comes from a stream that can be read only once; "
                + "send it from data or a file")
    }

    private var cancelledError: HTTPError {
        HTTPError(.cancelled, attempting: base.redactedDescription, "it was cancelled")
    }

    /// Plans what follows when the transfer ends, and lets go of the rest of its content: up to 64 KiB is read so that the connection can
    /// be used again.
    private func plan(_ followUp: FollowUp, for response: ReceivedResponse) -> ContentDisposition {
        let rest = ContentDisposition.discard(limit: 65_536)
        switch renewingBody(of: followUp) {
        case .deliver:
            state.withLock { $0.isDelivering = true }
            return owner.exchange(self, didReceive: response)
        case .redirect(let request):
            state.withLock { state in
                // An answer to the last server must not be seen by the next one.
                state.rare?.answers.server = nil
                state.base = request
                state.redirectCount += 1
                state.next = .send
            }
            return rest
        case .answer:
            state.withLock { $0.next = .send }
            return rest
        case .fail(let error):
            state.withLock { $0.next = .finish(error) }
            return .discard(limit: 0)
        case .ask(let ask):
            let question = FollowUpQuestion()
            state.withLock { $0.questionCount += 1 }
            ask { [self] decision in
                guard question.answer(decision), !state.withLock({ $0.isFinished }) else { return }
                let disposition = plan(decision, for: response)
                stopAsking().map(transferDidFinish) ?? decide(disposition)
            }
            guard let answer = question.earlyAnswer() else { return .wait }
            _ = stopAsking()
            return plan(answer, for: response)
        }
    }

    /// How the transfer ended meanwhile, if it did, once the last question is answered.
    private func stopAsking() -> TransferOutcome? {
        state.withLock { state in
            state.questionCount -= 1
            guard state.questionCount == 0 else { return nil }
            defer { state.rare?.endWhileAsking = nil }
            return state.rare?.endWhileAsking
        }
    }

    private func finish(_ outcome: TransferOutcome) {
        let (isFirst, control) = state.withLock { state in
            defer { state.isFinished = true }
            return (!state.isFinished, state.control.take())
        }
        withExtendedLifetime(control) {}
        if isFirst { owner.exchange(self, didFinish: outcome) }
    }

    // MARK: TransferReceiver

    func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition {
        guard let sent = state.withLock({ $0.sent }) else { return .cancel }
        return plan(path.followUp(to: head, of: sent, in: self), for: ReceivedResponse(head: head, url: sent.url))
    }

    func transferDidReceiveContent(_ bytes: Data) -> ContentDemand {
        owner.exchange(self, didReceiveContent: bytes)
    }

    /// What arrives of a response that is not delivered is nobody's progress.
    func transferDidProgress(_ progress: TransferProgress) {
        var progress = progress
        if !state.withLock({ $0.isDelivering }) {
            progress.bytesReceived = 0
            progress.bytesToReceive = nil
        }
        owner.exchange(self, didProgress: progress)
    }

    func transferDidFinish(_ outcome: TransferOutcome) {
        if let error = outcome.error, isTakenUp(error) { return }
        if let kind = outcome.error?.kind, ![.cancelled, .resourceTimedOut].contains(kind) {
            let isAsking = state.withLock { state in
                guard state.questionCount > 0, !state.isCancelled else { return false }
                state.madeRare().endWhileAsking = outcome
                return true
            }
            if isAsking { return }
        }
        let (next, isCancelled) = state.withLock { ($0.next, $0.isCancelled) }
        switch next {
        case .send where isCancelled || outcome.error?.kind == .cancelled:
            finish(TransferOutcome(error: cancelledError, measurement: outcome.measurement))
        case .send where outcome.error?.kind == .idleTimedOut || outcome.error?.kind == .resourceTimedOut:
            finish(outcome)
        case .send:
            // What was left of a response that is not delivered may well have failed.
            shortenResourceTimeout()
            start()
        case .finish(let error?):
            finish(TransferOutcome(error: error, measurement: outcome.measurement))
        case .finish(nil):
            finish(outcome)
        }
    }

    /// Whether the server's certificates are asked about before the message is sent again.
    private func isTakenUp(_ error: HTTPError) -> Bool {
        guard let inquiry, let sent = state.withLock({ $0.sent }) else { return false }
        return inquiry.takesUp(error, of: sent) { [self] conclusion in
            switch conclusion {
            case .sendAgain:
                shortenResourceTimeout()
                start()
            case .fail(let error): finish(TransferOutcome(error: error))
            }
        }
    }

    /// The resource timeout is for the whole exchange, so a follow-up gets what is left of it.
    private func shortenResourceTimeout() {
        let elapsed = ContinuousClock.now - started
        state.withLock { state in
            guard let limit = state.options.timeouts.resource else { return }
            state.options.timeouts.resource = max(limit - elapsed, .milliseconds(1))
        }
    }
}
