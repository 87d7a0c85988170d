// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

func passwordFromPerson(_ question: String) async -> (user: String, password: String)? { nil }
func personKnows(certificate: Data, of host: String) async -> Bool { false }

// snippet.handler
/// Asks a person for what servers and proxies want.
struct Reception: ChallengeHandler {
    func answer(
        _ challenge: URLAuthenticationChallenge, for request: Request
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let space = challenge.protectionSpace
        let asks = space.isProxy() ? "The proxy \(space.host)" : space.host
        let again = challenge.previousFailureCount > 0 ? " That was not it." : ""
        guard challenge.previousFailureCount < 3,
            let entry = await passwordFromPerson("\(asks) wants a password for “\(space.realm ?? "everything")”.\(again)")
        else { return (.rejectProtectionSpace, nil) }
        return (.useCredential, URLCredential(user: entry.user, password: entry.password, persistence: .forSession))
    }
}

let session = Session(challengeHandler: Reception())
// snippet.end

// snippet.closure
func report(_ url: URL, _ credential: URLCredential) async throws -> Data {
    try await session.request(url)
        .answerChallenges(
            using: .answering { challenge, _ in
                challenge.previousFailureCount == 0 ? (.useCredential, credential) : (.cancelAuthenticationChallenge, nil)
            }
        )
        .serializingData().value
}
// snippet.end

// snippet.servers
let cautious = Session(
    challengeHandler: .answering(serverTrust: true) { challenge, _ in
        guard let certificate = challenge.serverCertificates?.first else { return (.performDefaultHandling, nil) }
        // As with ssh: a person looks once, and agrees to this certificate and no other.
        return await personKnows(certificate: certificate, of: challenge.protectionSpace.host)
            ? (.useCredential, ServerTrustCredential(accepting: challenge)) : (.cancelAuthenticationChallenge, nil)
    })
// snippet.end
