// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Somebody who is asked about an exchange's challenges before the session's own credentials answer them.
package protocol ChallengeResponder: AnyObject, Sendable {
    /// Hands a decision to `decide`, now or later, from any thread; the first one counts. Called on the transport's thread: do not block.
    /// The challenge's `failureResponse`, if any, has the URL that answered, after redirects.
    func decide(about challenge: URLAuthenticationChallenge, _ decide: @escaping @Sendable (ChallengeDecision) -> Void)
}

/// What becomes of a challenge.
package enum ChallengeDecision: Sendable {
    /// The message is sent again with these credentials. The same ones a second time deliver the response instead.
    case use(URLCredential)
    /// The proposed credential is used, or the next challenge looked at; without any the response is delivered.
    case performDefaultHandling
    /// The next challenge is looked at; without any the response is delivered.
    case rejectProtectionSpace
    /// The exchange fails.
    case cancel(any Error)
}

/// Lets a challenge be answered through its `sender`, as Foundation's can be.
final class ChallengeSender: NSObject, URLAuthenticationChallengeSender, Sendable {
    private let decision: OneDecision

    init(_ decision: OneDecision) {
        self.decision = decision
        super.init()
    }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) { decision.make(.use(credential)) }
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { decision.make(.rejectProtectionSpace) }
    func cancel(_ challenge: URLAuthenticationChallenge) { decision.make(.cancel(URLError(.userCancelledAuthentication))) }
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) { decision.make(.performDefaultHandling) }
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) { decision.make(.rejectProtectionSpace) }
}
