// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends credentials ahead where they were accepted before, and answers the challenges of servers and proxies (RFC 9110, 11).
///
/// A challenge is answered with the request's credential, else with the one in the URL, else with what the configuration's storage or an
/// earlier answer has for the protection space; a ``ChallengeResponder`` is asked first. Credentials that were refused are not sent again;
/// the response that refused them is delivered.
struct Credentials: ExchangeStage {
    private let settings: ExchangeSettings
    private var cache: CredentialsCache { settings.credentials }

    init(_ settings: ExchangeSettings) { self.settings = settings }

    // MARK: Outgoing

    func prepare(_ message: inout HTTPRequest, options: inout TransferOptions, in exchange: Exchange) {
        guard exchange.hasAuthentication || cache.hasCredentialsToSend, let origin = Origin(url: message.url) else { return }
        let server = Challenger.server(origin)
        add(to: &message, &options, for: server, in: exchange)
        if let proxy = proxyOrigin(for: origin) {
            add(to: &message, &options, for: .proxy(proxy), in: exchange)
        }
    }

    /// The answer to the last challenge; else the credentials that stand; else those that may go ahead. A field of the caller's own is
    /// replaced only by an answer.
    private func add(
        to message: inout HTTPRequest, _ options: inout TransferOptions, for challenger: Challenger, in exchange: Exchange
    ) {
        let hasField = message.fields.contains(name: challenger.credentialsFieldName)
        let (credential, _) = ownCredential(for: message, of: exchange, challenger)
        let request = AuthenticatedRequest(message, for: challenger)
        let answer: ChallengeAnswers.Answer? = exchange.withAuthentication(makeWith: makeAuthentication) { authentication, answers in
            switch answers[challenger] {
            case .transport?: return answers[challenger]
            case .field?:
                defer { answers[challenger] = nil }
                return answers[challenger]
            case nil: break
            }
            if let standing = try? authentication.credentialsToResend(to: challenger, for: request) { return .field(standing) }
            guard !hasField, let ahead = cache.answerAhead(to: challenger, for: request, credential: credential) else { return nil }
            authentication.sentAhead(ahead)
            switch ahead {
            case .field(let issued): return .field(issued)
            case .transport(let scheme, let credential, _): return .transport(TransportAuthentication(scheme, credential))
            }
        }
        switch answer {
        case .field(let issued): message.fields[issued.fieldName] = issued.fieldValue
        case .transport(let authentication):
            if challenger.isProxy { options.proxyAuthentication = authentication } else { options.authentication = authentication }
            message.fields[challenger.credentialsFieldName] = nil
        case nil: break
        }
    }

    private func makeAuthentication() -> AuthenticationExchange {
        AuthenticationExchange(cache: cache, transportSchemes: settings.transportSchemes)
    }

    // MARK: Incoming

    func followUp(to head: HTTPResponseHead, of message: HTTPRequest, in exchange: Exchange) -> FollowUp {
        let isChallenge = head.status == 401 || head.status == 407
        guard isChallenge || exchange.hasAuthentication, let origin = Origin(url: message.url) else { return .deliver }
        exchange.withAuthentication(makeWith: makeAuthentication) { authentication, _ in
            authentication.settled(status: head.status) { head.values(for: $0) }
        }
        guard isChallenge else { return .deliver }
        let challenger: Challenger
        if head.status == 401 {
            challenger = .server(origin)
        } else {
            // A 407 that no proxy can have sent is the server's own business.
            guard let proxy = proxyOrigin(for: origin) else { return .deliver }
            challenger = .proxy(proxy)
        }
        // What cannot be read cannot be answered; the caller gets the response.
        guard let challenges = try? ChallengeParser().challenges(in: head.values(for: challenger.challengeFieldName)) else {
            return .deliver
        }
        if let responder = exchange.delegate.challengeResponder {
            let request = AuthenticatedRequest(message, for: challenger)
            let offers = exchange.withAuthentication(makeWith: makeAuthentication) { authentication, _ in
                authentication.challenged(challenges, by: challenger, for: request)
            }
            let context = ChallengeContext(challenger: challenger, message: message, request: request, head: head, exchange: exchange)
            return offers.isEmpty ? .deliver : .ask { ask(responder, about: offers[...], context, $0) }
        }
        return answer(challenges, of: challenger, to: message, in: exchange)
    }

    private func answer(_ challenges: [Challenge], of challenger: Challenger, to message: HTTPRequest, in exchange: Exchange) -> FollowUp {
        let request = AuthenticatedRequest(message, for: challenger)
        let (own, isShared) = ownCredential(for: message, of: exchange, challenger)
        do {
            let offers = exchange.withAuthentication(makeWith: makeAuthentication) { authentication, _ in
                authentication.challenged(challenges, by: challenger, for: request)
            }
            var firstError: (any Error)?
            for offer in offers {
                guard let credential = own ?? offer.knownCredential ?? stored(for: offer) ?? nil, offer.needsCredential || own != nil else {
                    if offer.needsCredential { continue }
                    if try send(offer, nil, isShared, to: request, challenger, in: exchange) { return .answer }
                    continue
                }
                do {
                    if try send(offer, credential, isShared, to: request, challenger, in: exchange) { return .answer }
                } catch {
                    firstError = firstError ?? error
                }
            }
            if let firstError { throw firstError }
            return .deliver
        } catch {
            return failure(error, message)
        }
    }

    func failure(_ error: any Error, _ message: HTTPRequest) -> FollowUp {
        .fail(
            HTTPError(
                .credentialsUnusable, attempting: message.redactedDescription, "the challenge cannot be answered: \(error)",
                underlyingError: error))
    }

    func send(
        _ offer: ChallengeOffer, _ credential: UserCredential?, _ isShared: Bool, to request: AuthenticatedRequest,
        _ challenger: Challenger,
        in exchange: Exchange
    ) throws -> Bool {
        try exchange.withAuthentication(makeWith: makeAuthentication) { authentication, answers in
            switch try authentication.answer(offer, with: credential, to: request, isShared: isShared) {
            case .field(let issued):
                answers[challenger] = .field(issued)
            case .transport(let scheme, let credential):
                answers[challenger] = .transport(TransportAuthentication(scheme, credential))
            case .noSupportedScheme, .rejected:
                return false
            }
            return true
        }
    }

    // MARK: Credentials

    /// The request's own credential, or the one in its URL; a credential without persistence is not used for other requests.
    ///
    /// The request's own is for the origin that the caller asked for and for proxies, not for where a redirect leads.
    func ownCredential(for message: HTTPRequest, of exchange: Exchange, _ challenger: Challenger) -> (
        UserCredential?, isShared: Bool
    ) {
        if let credential = exchange.delegate.credential, let own = userCredential(credential),
            challenger.isProxy || message.url == exchange.firstURL || Origin(url: message.url) == Origin(url: exchange.firstURL)
        {
            return (own, credential.persistence != .none)
        }
        guard !challenger.isProxy, let user = message.url.user(percentEncoded: false) else { return (nil, true) }
        return (UserCredential(userID: user, password: message.url.password(percentEncoded: false) ?? ""), false)
    }

    func userCredential(_ credential: URLCredential?) -> UserCredential? {
        guard let credential, let user = credential.user, let password = credential.password else { return nil }
        return UserCredential(userID: user, password: password)
    }

    func stored(for offer: ChallengeOffer) -> UserCredential? {
        guard let storage = settings.credentialStorage else { return nil }
        return userCredential(storage.sameDefaultCredential(for: Self.foundationSpace(of: offer)))
    }

    private func proxyOrigin(for origin: Origin) -> Origin? {
        settings.proxy.server(for: origin).flatMap { Origin(scheme: $0.kind == .https ? "https" : "http", host: $0.host, port: $0.port) }
    }
}

extension TransportAuthentication {
    fileprivate init(_ scheme: AuthenticationScheme, _ credential: UserCredential?) {
        self.init(
            scheme: scheme == .ntlm ? .ntlm : .negotiate, user: credential?.userID ?? "", password: credential?.password ?? "")
    }
}

extension AuthenticatedRequest {
    /// What of `message` the challenger sees: a proxy in the way of an https request sees CONNECT and nothing else.
    fileprivate init(_ message: HTTPRequest, for challenger: Challenger) {
        if challenger.isProxy, let origin = Origin(url: message.url), origin.scheme == "https" {
            self.init(tunnelTo: origin)
        } else {
            self.init(method: message.method, url: message.url, contentHash: message.contentHash)
        }
    }
}

extension HTTPRequest {
    /// Hashes the content if that costs no reading of files or streams.
    fileprivate var contentHash: AuthenticatedRequest.ContentHash? {
        guard let body else { return { try $0.hash([UInt8]()) } }
        guard case .segments(let segments) = body.source else { return nil }
        var pieces: [Data] = []
        for segment in segments {
            guard case .data(let data) = segment else { return nil }
            pieces.append(data)
        }
        return { [pieces] function in
            let hash = try RunningHash(function)
            for piece in pieces { piece.withUnsafeBytes { hash.add($0) } }
            return try hash.finish()
        }
    }
}

extension ProxyPolicy {
    /// The proxy for requests to `origin`, as far as this policy says by itself.
    func server(for origin: Origin) -> ProxyServer? {
        switch self {
        case .none, .environment: nil
        case .proxy(let server, _): server
        case .perScheme(let http, let https, _): origin.scheme == "https" ? https : http
        }
    }
}
