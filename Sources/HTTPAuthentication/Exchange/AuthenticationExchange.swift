// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// The authentication of one request over all its messages: which credentials are out, which were refused, what to answer.
///
/// A value without IO. For each final response its owner calls ``settled(status:information:)``, and for a 401 or 407 after it
/// ``challenged(_:by:for:)``, finds a credential and calls ``answer(_:with:to:isShared:)``.
///
///     send ──> response ──> settled ──401/407──> challenged ──offers──> answer ──.field/.transport──> send again
///                              └──else──> deliver                          └──.rejected──> deliver
package struct AuthenticationExchange: Sendable {
    /// Credentials on their way; what the next response says decides about them.
    private struct Sent: Sendable {
        var means: AcceptedCredentials.Means
        let space: ProtectionSpace
        /// Nil only for Negotiate from the ticket cache.
        let credential: UserCredential?
        let issued: IssuedCredentials?
        let scope: AcceptedCredentials.Scope
        let isShared: Bool
        let isSentAhead: Bool
    }

    private struct Refusal: Hashable {
        let challenger: Challenger
        /// Nil for every realm.
        let realm: String?
        let credential: UserCredential
    }

    /// How many times a space may call a nonce stale before that counts as a refusal; a server may change its nonce with every response.
    package static let renewalLimit = 3

    private let cache: CredentialsCache
    private let transportSchemes: Set<AuthenticationScheme>
    private let answerLimit: Int
    private var answerCount = 0
    private var sent: [Challenger: Sent] = [:]
    /// Answers that were not refused, for messages sent again for another reason.
    private var standing: [Challenger: Sent] = [:]
    private var failureCounts: [ProtectionSpace: Int] = [:]
    private var renewalCounts: [ProtectionSpace: Int] = [:]
    private var renewedCredentials: [ProtectionSpace: UserCredential] = [:]
    private var refusals: Set<Refusal> = []
    private var negotiateRefusals: Set<Challenger> = []

    /// - Parameter transportSchemes: what the transport can do by itself, of Negotiate and NTLM.
    /// - Parameter answerLimit: how many challenges are answered in all, redirects included.
    package init(cache: CredentialsCache, transportSchemes: Set<AuthenticationScheme> = [], answerLimit: Int = 10) {
        self.cache = cache
        self.transportSchemes = transportSchemes
        self.answerLimit = answerLimit
    }

    /// Notes that a field went out ahead of a challenge.
    package mutating func sentAhead(_ credentials: IssuedCredentials) { sentAhead(.field(credentials)) }

    /// Notes what went out ahead of a challenge.
    package mutating func sentAhead(_ answer: AnswerAhead) {
        switch answer {
        case .field(let credentials):
            sent[credentials.protectionSpace.challenger] = Sent(
                means: credentials.means, space: credentials.protectionSpace, credential: credentials.credential, issued: credentials,
                scope: credentials.scope, isShared: false, isSentAhead: true)
        case .transport(let scheme, let credential, let space):
            sent[space.challenger] = Sent(
                means: .transport(scheme), space: space, credential: credential, issued: nil, scope: .everything, isShared: false,
                isSentAhead: true)
        }
    }

    /// Judges what a final response says about the credentials on their way; the first call for every response.
    ///
    /// Any status but 401, 407 and 400 means that they were accepted: they are remembered. (A 400 may be a server's way to dislike them.)
    /// - Parameter information: gives the values of `Authentication-Info` or `Proxy-Authentication-Info`; asked only after Digest.
    package mutating func settled(status: Int, information: (_ fieldName: String) -> [String]) {
        guard !sent.isEmpty, status != 407 else { return }
        for (challenger, credentials) in sent where challenger.isProxy || status != 401 {
            sent[challenger] = nil
            if status != 400 { accept(credentials, from: challenger, information) }
        }
    }

    /// Judges the credentials on their way by the challenges that came back, and says what can be answered, the strongest scheme first.
    ///
    /// Credentials are refused when their space challenges again. A stale nonce is no refusal, nor is another nonce after Digest was
    /// sent ahead, since many servers forget nonces without saying so; both are bounded by ``renewalLimit``.
    package mutating func challenged(
        _ challenges: [Challenge], by challenger: Challenger, for request: AuthenticatedRequest
    ) -> [ChallengeOffer] {
        var offers = SchemeSelection.offers(
            in: challenges, by: challenger, transportSchemes: transportSchemes, canHashContent: request.contentHash != nil)
        if let credentials = sent.removeValue(forKey: challenger) { judge(credentials, from: challenger, by: offers) }
        offers.removeAll { !$0.needsCredential && negotiateRefusals.contains(challenger) }
        return offers.map { offer in
            var offer = offer
            let space = offer.protectionSpace
            offer.previousFailureCount = failureCounts[space] ?? 0
            offer.knownCredential = (renewedCredentials[space] ?? cache.credential(in: space)).flatMap {
                isRefused($0, in: space) ? nil : $0
            }
            return offer
        }
    }

    /// Makes the answer to one offer. A credential that the space has refused in this exchange is not sent to it again.
    ///
    /// - Parameter credential: what to answer with; nil only where ``ChallengeOffer/needsCredential`` is false.
    /// - Parameter isShared: whether, once accepted, requests without a credential of their own may use it, too.
    /// - Throws: ``HTTPAuthenticationError`` if the scheme cannot carry the credential; what hashing the content throws.
    package mutating func answer(
        _ offer: ChallengeOffer, with credential: UserCredential?, to request: AuthenticatedRequest, isShared: Bool = true
    ) throws -> ChallengeAnswer {
        let space = offer.protectionSpace
        if answerCount >= answerLimit { return .rejected }
        if let credential, isRefused(credential, in: space) { return .rejected }
        if credential == nil, offer.needsCredential { return .rejected }

        let means: AcceptedCredentials.Means
        switch (offer.means, credential) {
        case (.transport(let scheme), _):
            answerCount += 1
            sent[space.challenger] = Sent(
                means: .transport(scheme), space: space, credential: credential, issued: nil, scope: .everything, isShared: isShared,
                isSentAhead: false)
            return .transport(scheme, credential)
        case (_, nil): return .rejected
        case (.basic(let normalizes), let credential?):
            means = .basic(fieldValue: try BasicScheme.credentials(for: credential, normalizes: normalizes))
        case (.digest(let challenge), let credential?):
            means = .digest(
                try DigestSession(
                    challenge, credential: credential, counter: cache.counter(for: challenge.nonce, in: space),
                    clientNonces: cache.clientNonces))
        }
        guard let credential,
            let issued = try IssuedCredentials(
                means, credential: credential, in: space, scope: scope(of: offer, request), for: request, isSentAhead: false)
        else { return .rejected }
        answerCount += 1
        sent[space.challenger] = Sent(
            means: means, space: space, credential: credential, issued: issued, scope: issued.scope, isShared: isShared,
            isSentAhead: false)
        return .field(issued)
    }

    /// ``challenged(_:by:for:)`` and ``answer(_:with:to:isShared:)`` in one, for owners that know their credential: the strongest scheme
    /// that can carry it answers. Without one, the space's known credential does, or the transport's tickets.
    /// - Throws: the error of the strongest scheme if no other could answer.
    package mutating func answer(
        to challenges: [Challenge], by challenger: Challenger, with credential: UserCredential?, for request: AuthenticatedRequest,
        isShared: Bool = true
    ) throws -> ChallengeAnswer {
        let offers = challenged(challenges, by: challenger, for: request)
        if offers.isEmpty { return failureCounts.keys.contains { $0.challenger == challenger } ? .rejected : .noSupportedScheme }
        var firstError: (any Error)?
        for offer in offers {
            do {
                let answer = try answer(offer, with: credential ?? offer.knownCredential, to: request, isShared: isShared)
                if case .rejected = answer { continue }
                return answer
            } catch {
                firstError = firstError ?? error
            }
        }
        if let firstError { throw firstError }
        return .rejected
    }

    /// The field for a message that is sent again for a reason other than a challenge by `challenger`, such as a challenge by the other
    /// side: the credentials that stand, with a nonce count of their own. Nil if there are none for this target.
    package mutating func credentialsToResend(to challenger: Challenger, for request: AuthenticatedRequest) throws -> IssuedCredentials? {
        guard let last = sent[challenger] ?? standing[challenger], let credential = last.credential,
            last.scope.match(request.target) != nil,
            let issued = try IssuedCredentials(
                last.means, credential: credential, in: last.space, scope: last.scope, for: request, isSentAhead: false)
        else { return nil }
        sent[challenger] = Sent(
            means: last.means, space: last.space, credential: credential, issued: issued, scope: last.scope, isShared: last.isShared,
            isSentAhead: false)
        return issued
    }

    private mutating func accept(_ credentials: Sent, from challenger: Challenger, _ information: (String) -> [String]) {
        var accepted = credentials
        let credential = credentials.credential ?? .tickets
        let isSentAhead = credentials.isSentAhead
        if case .digest(let session) = credentials.means, let answer = credentials.issued?.digestAnswer {
            // Malformed information is none: the response itself has been accepted.
            let information = try? AuthenticationInformation.parse(information(challenger.informationFieldName))
            if let information, (try? session.isProof(information, of: answer)) == false {
                // The answer came from someone who does not know the password.
                return cache.forget(credentials.space, credential)
            }
            if let nonce = information?.nextNonce, !nonce.isEmpty, nonce != session.nonce {
                let next = session.continued(withNonce: nonce, counter: cache.counter(for: nonce, in: credentials.space))
                accepted.means = .digest(next)
                if isSentAhead { cache.renew(credentials.space, credential, nonce: session.nonce, by: next) }
            }
        }
        standing[challenger] = accepted
        if isSentAhead { return }
        cache.remember(
            AcceptedCredentials.Entry(
                space: accepted.space, credential: credential, means: accepted.means, scope: accepted.scope, isShared: accepted.isShared))
    }

    private mutating func judge(_ credentials: Sent, from challenger: Challenger, by offers: [ChallengeOffer]) {
        standing[challenger] = nil
        let again = offers.filter { $0.protectionSpace == credentials.space }
        // A challenge for another realm says nothing about these credentials.
        if again.isEmpty { return }
        let space = credentials.space
        if case .digest(let session) = credentials.means, let credential = credentials.credential {
            let isSentAhead = credentials.isSentAhead
            let isRenewal = again.contains { $0.digest.map { $0.isStale || isSentAhead && $0.nonce != session.nonce } ?? false }
            if isRenewal, renewalCounts[space] ?? 0 < Self.renewalLimit {
                renewalCounts[space, default: 0] += 1
                renewedCredentials[space] = credential
                return cache.forget(space, credential, nonce: session.nonce)
            }
        }
        // What went ahead was no answer to a challenge: the first one still is the caller's first.
        if !credentials.isSentAhead { failureCounts[space, default: 0] += 1 }
        renewedCredentials[space] = nil
        if case .transport(.negotiate) = credentials.means {
            // For want of a ticket, as a rule; a password is still worth trying with the other schemes.
            negotiateRefusals.insert(challenger)
            return cache.forget(space, credentials.credential ?? .tickets)
        }
        guard let credential = credentials.credential else { return }
        // After NTLM, which knows no realm, the password is not tried in the clear.
        refusals.insert(Refusal(challenger: challenger, realm: space.realm, credential: credential))
        cache.forget(space, credential)
    }

    private func isRefused(_ credential: UserCredential, in space: ProtectionSpace) -> Bool {
        [space.realm, nil].contains { refusals.contains(Refusal(challenger: space.challenger, realm: $0, credential: credential)) }
    }

    private func scope(of offer: ChallengeOffer, _ request: AuthenticatedRequest) -> AcceptedCredentials.Scope {
        if offer.protectionSpace.isProxy { return .everything }
        guard let digest = offer.digest else { return .prefixes([BasicScheme.pathPrefix(of: request.target)]) }
        if digest.domain.isEmpty { return .everything }
        let prefixes = digest.pathPrefixes(at: offer.protectionSpace.origin)
        return .prefixes(prefixes.isEmpty ? [BasicScheme.pathPrefix(of: request.target)] : prefixes)
    }
}

extension AuthenticationExchange: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many challenges were answered.
    package var description: String { "AuthenticationExchange(answers: \(answerCount))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["answers": answerCount], displayStyle: .struct) }
}
