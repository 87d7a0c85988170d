// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a question about challenges is about.
struct ChallengeContext: Sendable {
    let challenger: Challenger
    let message: HTTPRequest
    let request: AuthenticatedRequest
    let head: HTTPResponseHead
    let exchange: Exchange
}

extension Credentials {
    /// Asks about one offer after the other, the strongest first, until one is answered; `conclude` gets what follows.
    ///
    /// The request's own credential, or its URL's, goes first, once and unasked, as URLSession sends it; it is proposed afterwards.
    func ask(
        _ responder: any ChallengeResponder, about offers: ArraySlice<ChallengeOffer>, _ context: ChallengeContext,
        _ conclude: @escaping @Sendable (FollowUp) -> Void
    ) {
        guard let offer = offers.first else { return conclude(.deliver) }
        let (own, isShared) = ownCredential(for: context.message, of: context.exchange, context.challenger)
        do {
            if let own, try send(offer, own, isShared, to: context.request, context.challenger, in: context.exchange) {
                return conclude(.answer)
            }
        } catch {
            return conclude(failure(error, context.message))
        }
        let known = offer.knownCredential ?? stored(for: offer)
        let decision = OneDecision { decision in
            do {
                switch decision {
                case .use(let credential):
                    // Negotiate may go on with the system's tickets.
                    let user = userCredential(credential)
                    let isShared = credential.persistence != .none
                    let isSent = try send(offer, user, isShared, to: context.request, context.challenger, in: context.exchange)
                    return conclude(isSent ? .answer : .deliver)
                case .performDefaultHandling:
                    if known != nil || !offer.needsCredential,
                        try send(offer, known, true, to: context.request, context.challenger, in: context.exchange)
                    {
                        return conclude(.answer)
                    }
                case .rejectProtectionSpace: break
                case .cancel(let error):
                    return conclude(
                        .fail(
                            HTTPError(
                                .credentialsUnusable, attempting: context.message.redactedDescription,
                                "no credentials were given for the challenge", underlyingError: error)))
                }
                ask(responder, about: offers.dropFirst(), context, conclude)
            } catch {
                conclude(failure(error, context.message))
            }
        }
        let proposed = (own ?? known).map { URLCredential(user: $0.userID, password: $0.password, persistence: .none) }
        let challenge = URLAuthenticationChallenge(
            protectionSpace: Self.foundationSpace(of: offer), proposedCredential: proposed,
            previousFailureCount: offer.previousFailureCount, failureResponse: HTTPURLResponse(context.head, url: context.message.url),
            error: nil, sender: ChallengeSender(decision))
        responder.decide(about: challenge) { decision.make($0) }
    }

    static func foundationSpace(of offer: ChallengeOffer) -> URLProtectionSpace {
        let space = offer.protectionSpace
        let method: String
        switch offer.scheme {
        case .digest: method = NSURLAuthenticationMethodHTTPDigest
        case .ntlm: method = NSURLAuthenticationMethodNTLM
        case .negotiate: method = NSURLAuthenticationMethodNegotiate
        default: method = NSURLAuthenticationMethodHTTPBasic
        }
        guard space.isProxy else {
            return URLProtectionSpace(
                host: space.origin.host, port: space.origin.port, protocol: space.origin.scheme, realm: space.realm,
                authenticationMethod: method)
        }
        return URLProtectionSpace(
            proxyHost: space.origin.host, port: space.origin.port,
            type: space.origin.scheme == "https" ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy, realm: space.realm,
            authenticationMethod: method)
    }
}
