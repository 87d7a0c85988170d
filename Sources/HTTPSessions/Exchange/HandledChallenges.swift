// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Puts an exchange's challenges to a ``ChallengeHandler``, each in a task of its own, so that the transport's thread goes on meanwhile.
final class HandledChallenges: ChallengeResponder {
    private let handler: any ChallengeHandler
    private let request: Request

    init(_ handler: any ChallengeHandler, for request: Request) {
        self.handler = handler
        self.request = request
    }

    func decide(about challenge: URLAuthenticationChallenge, _ decide: @escaping @Sendable (ChallengeDecision) -> Void) {
        let task = Task { [handler, request] in
            let (disposition, credential) = await handler.answer(challenge, for: request)
            decide(ChallengeDecision(disposition, credential))
        }
        request.waits(for: task)
    }
}

extension ChallengeDecision {
    init(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        switch (disposition, credential) {
        case (.useCredential, let credential?): self = .use(credential)
        case (.cancelAuthenticationChallenge, _): self = .cancel(URLError(.userCancelledAuthentication))
        case (.performDefaultHandling, _): self = .performDefaultHandling
        default: self = .rejectProtectionSpace
        }
    }
}
