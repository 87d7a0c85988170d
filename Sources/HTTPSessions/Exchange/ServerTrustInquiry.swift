// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Has somebody agree to the certificates of each https server of one exchange, before anything is sent to it.
///
/// libcurl cannot wait in the middle of a handshake. So a transfer to a server about which nothing was decided only makes a connection,
/// shows the chain and ends; the question is put; and the message is sent on another connection, which must show the same chain:
///
/// ```
/// showOnly ──chain──▶ asked ──accepted──▶ sent, if the chain is the same ──another chain──▶ asked …
///                       └──refused──▶ failed
/// ```
///
/// What was decided is remembered in the session's ``ServerTrustQuestions``, so that only the first message to a server takes the detour.
final class ServerTrustInquiry: Sendable {
    enum Conclusion: Sendable {
        case sendAgain
        case fail(HTTPError)
    }

    private struct Asked {
        let question: ServerTrustQuestions.Question
        var hasTurn = false
    }

    private struct State {
        /// The question that is open.
        var asked: Asked?
        /// How often a message was stopped at the present origin.
        var stopCount = 0
        var origin: Origin?
        /// Whether somebody was asked about the present origin for this exchange.
        var isDecided = false
        var needsNewConnection = false
        var isCancelled = false
    }

    /// A server that shows another chain at every connection is given up.
    private static let stopLimit = 5

    private let questions: ServerTrustQuestions
    private let responder: any ChallengeResponder
    private let state = Locked(State())

    init(_ questions: ServerTrustQuestions, asking responder: any ChallengeResponder) {
        self.questions = questions
        self.responder = responder
    }

    /// What the next message to `url` requires.
    func requirement(for url: URL) -> ChainRequirement? {
        guard let origin = Origin(url: url), origin.scheme == "https" else { return nil }
        let needsNewConnection = state.withLock { state in
            if state.origin != origin { state = State(origin: origin, isCancelled: state.isCancelled) }
            defer { state.needsNewConnection = false }
            return state.needsNewConnection
        }
        guard let decision = questions.decision(for: origin) else { return .showOnly }
        return needsNewConnection ? decision.onNewConnection : decision
    }

    /// Whether a message that ended with `error` was stopped for want of a decision: then `conclude` is called with what follows, now or
    /// later.
    func takesUp(_ error: HTTPError, of message: HTTPRequest, _ conclude: @escaping @Sendable (Conclusion) -> Void) -> Bool {
        guard let origin = Origin(url: message.url), origin.scheme == "https" else { return false }
        switch error.kind {
        case .serverTrustRefused:
            guard let refusal = error.underlyingError as? ChainNotAccepted, mayGoOn() else { return false }
            guard let chain = refusal.chain else {
                state.withLock { $0.needsNewConnection = true }
                conclude(.sendAgain)
                return true
            }
            return ask(ServerTrustQuestions.Question(origin: origin, chain: chain), message, conclude)
        case .certificateUntrusted, .certificateExpired, .certificateWrongHost:
            // What was decided, and is not the system's to decide, was about a chain that the server no longer shows.
            guard !state.withLock({ $0.isDecided }), let decision = questions.decision(for: origin), mayGoOn() else { return false }
            questions.forget(decision, for: origin)
            conclude(.sendAgain)
            return true
        default: return false
        }
    }

    /// - Returns: whether a question was open, so that nobody else will end the exchange.
    func cancel() -> Bool {
        let asked = state.withLock { state in
            state.isCancelled = true
            defer { state.asked = nil }
            return state.asked
        }
        if let asked, asked.hasTurn { questions.pass(asked.question) }
        return asked != nil
    }

    private func mayGoOn() -> Bool {
        state.withLock { state in
            state.stopCount += 1
            return state.stopCount <= Self.stopLimit && !state.isCancelled
        }
    }

    private func ask(
        _ question: ServerTrustQuestions.Question, _ message: HTTPRequest, _ conclude: @escaping @Sendable (Conclusion) -> Void
    ) -> Bool {
        let begins = state.withLock { state in
            guard !state.isCancelled else { return false }
            state.asked = Asked(question: question)
            return true
        }
        guard begins else { return false }
        questions.join(question) { [self] turn in
            switch turn {
            case .ask:
                let isWanted = state.withLock { state in
                    state.asked?.hasTurn = true
                    return state.asked != nil
                }
                if isWanted { put(question, message, conclude) }
                return isWanted
            case .decided:
                let isWanted = closes()
                if isWanted { conclude(.sendAgain) }
                return isWanted
            case .refused(let error):
                let isWanted = closes()
                if isWanted { conclude(.fail(error)) }
                return isWanted
            }
        }
        return true
    }

    /// The question is answered; `false` if nobody wants to know any more.
    private func closes() -> Bool {
        state.withLock { state in
            defer { state.asked = nil }
            state.isDecided = true
            return state.asked != nil
        }
    }

    private func put(
        _ question: ServerTrustQuestions.Question, _ message: HTTPRequest, _ conclude: @escaping @Sendable (Conclusion) -> Void
    ) {
        let decision = OneDecision { [self] decision in
            // Without this the turn was passed on already.
            guard closes() else { return }
            switch decision {
            case .use(let credential) where (credential as? ServerTrustCredential)?.certificates == question.chain:
                questions.decide(question, ChainRequirement(chain: question.chain, leavesOutSystemChecks: true))
                conclude(.sendAgain)
            case .performDefaultHandling:
                questions.decide(question, ChainRequirement(chain: question.chain, leavesOutSystemChecks: false))
                conclude(.sendAgain)
            case .use:
                refuse(question, message, "the answer to the challenge is no ServerTrustCredential for the server's certificates", conclude)
            case .rejectProtectionSpace: refuse(question, message, "the server's certificates were rejected", conclude)
            case .cancel(let error):
                refuse(question, message, "the challenge about the server's certificates was cancelled", conclude, error)
            }
        }
        let challenge = URLAuthenticationChallenge(
            protectionSpace: ServerTrustSpace(host: question.origin.host, port: question.origin.port, certificates: question.chain),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil, sender: ChallengeSender(decision))
        responder.decide(about: challenge) { decision.make($0) }
    }

    private func refuse(
        _ question: ServerTrustQuestions.Question, _ message: HTTPRequest, _ reason: String,
        _ conclude: @Sendable (Conclusion) -> Void, _ cause: (any Error)? = nil
    ) {
        let kind: HTTPError.Kind = cause == nil ? .serverTrustRefused : .credentialsUnusable
        let error = HTTPError(kind, attempting: message.redactedDescription, reason, underlyingError: cause)
        questions.refuse(question, error)
        conclude(.fail(error))
    }
}
