// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Request: ExchangeDelegate {
    var effectiveRedirectHandler: (any RedirectHandler)? { redirectHandler ?? session?.redirectHandler }

    var challengeResponder: (any ChallengeResponder)? {
        (challengeHandler ?? session?.challengeHandler).map { HandledChallenges($0, for: self) }
    }

    /// Has `task` cancelled when nobody wants its answer any more.
    func waits(for task: Task<Void, Never>) {
        let isWanted = mutable.withLock { state in
            guard state.exchange != nil, state.state != .cancelled else { return false }
            state.withExtras { $0.challengeTask = task }
            return true
        }
        if !isWanted { task.cancel() }
    }

    var isHeld: Bool {
        mutable.withLock { $0.state == .suspended || $0.state == .initialized }
    }

    func exchange(_ exchange: Exchange, didReceive response: ReceivedResponse) -> ContentDisposition {
        let isCurrent = mutable.withLock { state in
            guard state.exchange === exchange else { return false }
            state.response = response
            return true
        }
        return isCurrent ? disposition(for: response, of: exchange) : .cancel
    }

    /// Puts the disposition off until `ask` has an answer; the first one counts.
    func waitForDisposition(
        of exchange: Exchange, allowing disposition: ContentDisposition,
        _ ask: (@escaping @Sendable (ResponseDisposition) -> Void) -> Void
    ) -> ContentDisposition {
        let isAnswered = Locked(false)
        ask { [weak self] answer in
            let isFirst = isAnswered.withLock { isAnswered in
                defer { isAnswered = true }
                return !isAnswered
            }
            guard isFirst else { return }
            switch answer {
            case .allow: exchange.decide(disposition)
            case .cancel: self?.cancel()
            }
        }
        return .wait
    }

    func exchange(_ exchange: Exchange, didReceiveContent bytes: Data) -> ContentDemand {
        didReceive(content: bytes)
    }

    func exchange(_ exchange: Exchange, didProgress progress: TransferProgress) {
        let calls = mutable.withLock { $0.madeProgress().update(progress) }
        for call in calls { call() }
    }

    func exchange(_ exchange: Exchange, didFinish outcome: TransferOutcome) {
        guard let place = mutable.withLock({ $0.conclusionPlace }) else { return attemptDidFinish(outcome) }
        place.perform { self.attemptDidFinish(outcome) }
    }
}
