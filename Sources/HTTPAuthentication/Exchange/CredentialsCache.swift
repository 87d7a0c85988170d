// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Synchronization

/// Remembers, for one session, which credentials were accepted where, so that they can be sent ahead of a challenge.
///
/// Basic credentials go ahead to paths at or below the one that accepted them (RFC 7617, 2.2), Digest credentials to the whole origin or to
/// what the challenge's `domain` names of it (RFC 7616, 3.3), NTLM and Negotiate to the whole origin, a proxy's to that proxy. Nothing ever
/// goes to another origin. Any thread may call; kept in memory only.
package final class CredentialsCache: Sendable {
    private struct State: Sendable {
        var accepted = AcceptedCredentials()
        var counters = NonceCounters()
    }

    /// Whether credentials go ahead at all; if not, each request waits for its challenge, and is answered without asking anybody.
    package let sendsAhead: Bool
    let clientNonces: ClientNonceGenerator
    // Any thread, under the lock.
    private let state = Locked(State())
    // Written under the lock, read without it: a request that is just being made may miss what is accepted at this moment.
    private let isOccupied = Atomic<Bool>(false)

    package init(sendsAhead: Bool = true, clientNonces: ClientNonceGenerator = .random) {
        self.sendsAhead = sendsAhead
        self.clientNonces = clientNonces
    }

    /// Whether asking for credentials to send ahead is worth while: one atomic load, for the path of every request.
    package var hasCredentialsToSend: Bool { sendsAhead && isOccupied.load(ordering: .relaxed) }

    /// The field for a request to `url` that is about to be sent, if its origin has accepted credentials for it before.
    ///
    /// - Parameter credential: the request's own, if it has one: then no other is sent. Without it, a shared one is.
    package func credentialsToSendAhead(
        for url: URL, method: String, credential: UserCredential? = nil, contentHash: AuthenticatedRequest.ContentHash? = nil
    ) -> IssuedCredentials? {
        guard hasCredentialsToSend, let target = RequestTarget(url) else { return nil }
        let request = AuthenticatedRequest(method: method, target: target.originForm, contentHash: contentHash)
        return credentialsToSendAhead(to: .server(target.origin), for: request, credential: credential)
    }

    /// The same for a server or a proxy, with the target as the request line has it; nil also where the transport logs in by itself.
    package func credentialsToSendAhead(
        to challenger: Challenger, for request: AuthenticatedRequest, credential: UserCredential? = nil
    ) -> IssuedCredentials? {
        if case .field(let issued) = answerAhead(to: challenger, for: request, credential: credential) { issued } else { nil }
    }

    /// What goes ahead of a challenge: a field, or the transport's own way.
    package func answerAhead(
        to challenger: Challenger, for request: AuthenticatedRequest, credential: UserCredential? = nil
    ) -> AnswerAhead? {
        guard hasCredentialsToSend else { return nil }
        let entry = state.withLock { $0.accepted.entry(for: challenger, target: request.target, credential: credential) }
        guard let entry else { return nil }
        if case .transport(let scheme) = entry.means {
            return .transport(scheme, entry.isTickets ? nil : entry.credential, entry.space)
        }
        // What cannot be made ahead, such as auth-int over content that can be read once, is left to a challenge.
        let issued = try? IssuedCredentials(
            entry.means, credential: entry.credential, in: entry.space, scope: entry.scope, for: request, isSentAhead: true)
        return issued.map { .field($0) }
    }

    /// Drops everything, as at log-out.
    package func removeAll() { change { $0 = State() } }

    func counter(for nonce: String, in space: ProtectionSpace) -> NonceCounter {
        state.withLock { $0.counters.counter(for: nonce, in: space) }
    }

    func credential(in space: ProtectionSpace) -> UserCredential? {
        guard isOccupied.load(ordering: .relaxed) else { return nil }
        return state.withLock { $0.accepted.credential(in: space) }
    }

    func remember(_ entry: AcceptedCredentials.Entry) { change { $0.accepted.remember(entry) } }

    func renew(_ space: ProtectionSpace, _ credential: UserCredential, nonce: String, by session: DigestSession) {
        change { $0.accepted.renew(space, credential, nonce: nonce, by: session) }
    }

    func forget(_ space: ProtectionSpace, _ credential: UserCredential, nonce: String? = nil) {
        change { $0.accepted.forget(space, credential, nonce: nonce) }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            isOccupied.store(!state.accepted.isEmpty, ordering: .relaxed)
        }
    }
}
