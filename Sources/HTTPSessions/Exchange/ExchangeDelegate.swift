// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Whom an exchange belongs to: called on the transport's thread, or on the thread that starts or decides.
protocol ExchangeDelegate: AnyObject, Sendable {
    /// The credential for a challenge, before the session's storage is asked.
    var credential: URLCredential? { get }
    /// Decides about redirects; `nil` follows them.
    var effectiveRedirectHandler: (any RedirectHandler)? { get }
    /// Is asked about challenges; `nil` leaves them to the session's credentials.
    var challengeResponder: (any ChallengeResponder)? { get }
    /// The task that handlers are shown.
    var currentTask: URLSessionTask { get }
    /// Whether nothing is to be sent or received for the time being.
    var isHeld: Bool { get }

    /// The response that is delivered has arrived; the answer says where its content goes.
    func exchange(_ exchange: Exchange, didReceive response: ReceivedResponse) -> ContentDisposition
    func exchange(_ exchange: Exchange, didReceiveContent bytes: Data) -> ContentDemand
    func exchange(_ exchange: Exchange, didProgress progress: TransferProgress)
    /// Content that can be read only once has to be sent again: `supply` takes it anew, now or later, from any thread; `nil` if there is
    /// none.
    func exchange(_ exchange: Exchange, needsNewBody supply: @escaping @Sendable (HTTPBody?) -> Void)
    /// The end, exactly once.
    func exchange(_ exchange: Exchange, didFinish outcome: TransferOutcome)
}

extension ExchangeDelegate {
    var challengeResponder: (any ChallengeResponder)? { nil }
    func exchange(_ exchange: Exchange, needsNewBody supply: @escaping @Sendable (HTTPBody?) -> Void) { supply(nil) }
}
