// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// What was decided about servers' certificates in one session, and who waits for a decision.
///
/// One exchange at a time asks about a chain at an origin; the others wait, and share the answer. If whoever asks is cancelled, the next
/// one asks.
final class ServerTrustQuestions: Sendable {
    struct Question: Hashable, Sendable {
        let origin: Origin
        let chain: [Data]
    }

    enum Turn: Sendable {
        /// Ask, then call ``decide(_:_:)``, ``refuse(_:_:)`` or ``pass(_:)``.
        case ask
        case decided
        case refused(HTTPError)
    }

    private struct State {
        var decisions: [Origin: ChainRequirement] = [:]
        /// Those who wait, while somebody asks.
        var open: [Question: [@Sendable (Turn) -> Bool]] = [:]
    }

    /// Of so many origins decisions are remembered; then all are forgotten, and asked for again.
    private static let capacity = 1_000

    private let state = Locked(State())

    /// What was decided last about the origin.
    func decision(for origin: Origin) -> ChainRequirement? { state.withLock { $0.decisions[origin] } }

    /// Calls `turn` with what follows, now or later, from any thread; it returns whether that is still wanted.
    func join(_ question: Question, _ turn: @escaping @Sendable (Turn) -> Bool) {
        let now: Turn? = state.withLock { state in
            if state.decisions[question.origin]?.chain == question.chain { return .decided }
            guard state.open[question] == nil else {
                state.open[question]?.append(turn)
                return nil
            }
            state.open[question] = []
            return .ask
        }
        guard let now, !turn(now), case .ask = now else { return }
        pass(question)
    }

    /// The chain is agreed to, as `requirement` says, from now on.
    func decide(_ question: Question, _ requirement: ChainRequirement) {
        let waiting = state.withLock { state in
            if state.decisions.count >= Self.capacity { state.decisions = [:] }
            state.decisions[question.origin] = requirement
            return state.open.removeValue(forKey: question) ?? []
        }
        for turn in waiting { _ = turn(.decided) }
    }

    /// The chain is not agreed to, for all who have asked so far.
    func refuse(_ question: Question, _ error: HTTPError) {
        for turn in state.withLock({ $0.open.removeValue(forKey: question) ?? [] }) { _ = turn(.refused(error)) }
    }

    /// Whoever had the turn does not want to know any more: the first who waits and does has it.
    func pass(_ question: Question) {
        while let next = next(question), !next(.ask) {}
    }

    private func next(_ question: Question) -> (@Sendable (Turn) -> Bool)? {
        state.withLock { state in
            if state.open[question]?.isEmpty == false { return state.open[question]?.removeFirst() }
            state.open[question] = nil
            return nil
        }
    }

    /// The decision has become of no use.
    func forget(_ decision: ChainRequirement, for origin: Origin) {
        state.withLock { state in
            if state.decisions[origin] === decision { state.decisions[origin] = nil }
        }
    }
}
