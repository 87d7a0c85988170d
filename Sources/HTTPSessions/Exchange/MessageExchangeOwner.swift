// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stands between an ``Exchange`` and the package's view of its owner.
final class MessageExchangeOwner: ExchangeDelegate, RedirectHandler {
    private let messages: any MessageExchangeDelegate

    init(_ messages: any MessageExchangeDelegate) { self.messages = messages }

    var isHeld: Bool { messages.isHeld }
    var credential: URLCredential? { nil }
    var effectiveRedirectHandler: (any RedirectHandler)? { self }
    var challengeResponder: (any ChallengeResponder)? { messages }
    /// Redirects are decided in ``MessageExchangeDelegate``'s own form, which shows no task.
    var currentTask: URLSessionTask { PlaceholderTask.shared }

    func task(
        _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
        messages.decide(aboutRedirectTo: request, from: response, completion)
    }

    func exchange(_ exchange: Exchange, didReceive response: ReceivedResponse) -> ContentDisposition {
        messages.exchangeDidReceive(response)
    }

    func exchange(_ exchange: Exchange, didReceiveContent bytes: Data) -> ContentDemand { messages.exchangeDidReceive(content: bytes) }
    func exchange(_ exchange: Exchange, didProgress progress: TransferProgress) { messages.exchangeDidProgress(progress) }
    func exchange(_ exchange: Exchange, needsNewBody supply: @escaping @Sendable (HTTPBody?) -> Void) {
        messages.exchangeNeedsNewBody(supply)
    }
    func exchange(_ exchange: Exchange, didFinish outcome: TransferOutcome) { messages.exchangeDidFinish(outcome) }
}

/// A task that stands for none.
private final class PlaceholderTask: URLSessionTask, @unchecked Sendable {  // without state of its own
    static let shared = PlaceholderTask()
    override init() { super.init() }
}
