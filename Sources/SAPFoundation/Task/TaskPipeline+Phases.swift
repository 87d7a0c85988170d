// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// All on the pipeline's queue, top to bottom in the order in which a task meets them.
extension TaskPipeline {
    // MARK: A. The request is about to be sent

    func begin() {
        if case .resumed(.failure(let failure)) = task.content {
            return complete(error: SAPURLSessionPipelineError.invalidResumeData(failure.description))
        }
        guard let request = task.originalRequest, let scheme = request.url?.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            return complete(error: SAPURLSessionError.invalidRequest)
        }
        switch task.content {
        case .data, .file, .stream:
            if ["GET", "HEAD"].contains(request.httpMethod?.uppercased() ?? "GET") {
                return complete(error: SAPURLSessionError.unexpectedHTTPMethod)
            }
        case .ofRequest, .resumed: break
        }
        let bypass = task.requestBypassIdentifier
        guard session.gate.isClosed(for: bypass) else { return prepare(request, from: 0) }
        ask("didAuthenticate") { answer in
            session.gate.wait(answer)
        } then: { [self] (error: (any Error)?) in
            error.map { complete(error: $0) } ?? begin()
        }
    }

    private func prepare(_ request: URLRequest, from index: Int) {
        guard index < observers.count else { return send(request) }
        ask("willSend") { answer in
            observers[index].sapURLSession(session, task: task, willSend: request, completionHandler: answer)
        } then: { [self] (disposition: SAPURLSession.RequestDisposition) in
            switch disposition {
            case .use(let request): prepare(request, from: index + 1)
            case .cancel(let error): complete(error: error)
            }
        }
    }

    /// An origin that is to be shown a certificate gets it before the handshake.
    func send(_ request: URLRequest) {
        guard let url = request.url, url.scheme?.lowercased() == "https",
            let provider = observers.lazy.compactMap({ $0 as? any ClientIdentityProviding }).first
        else { return send(request, showing: nil) }
        ask("identity") { answer in
            provider.identity(for: url, task: task.taskID, answer)
        } then: { [self] (identity: ClientIdentity?) in
            send(request, showing: identity)
        }
    }

    /// A stream that was read, or is not there yet, comes from the delegate.
    func send(_ request: URLRequest, showing identity: ClientIdentity?) {
        guard needsNewStream(request) else { return send(request, body: nil, showing: identity) }
        needsNewBody { [self] body in
            guard let body else { return complete(error: SAPURLSessionPipelineError.bodyNotReplayable) }
            send(request, body: body, showing: identity)
        }
    }

    private func send(_ request: URLRequest, body stream: HTTPBody?, showing identity: ClientIdentity?) {
        let attempt = Attempt(self)
        spentStream = request.httpBodyStream
        do {
            let exchange = try session.exchanges(for: request.url, showing: identity).exchange(
                request, body: try stream ?? body(for: request), priority: task.priority, reportsProgress: false,
                asksAboutServers: observers.contains { $0.answersServerTrust } || delegate?.answersServerTrust == true, delegate: attempt)
            self.attempt = attempt
            self.identity = identity
            announceNativeTask(sending: request)
            attempt.start(exchange)
        } catch let error as HTTPError {
            complete(error: error.kind == .invalidURL ? SAPURLSessionError.invalidRequest : error.urlError)
        } catch {
            complete(error: error)
        }
    }

    /// A redirect may have made a GET of an upload; then nothing is sent with it.
    private func body(for request: URLRequest) throws -> HTTPBody? {
        guard request.httpMethod == task.originalRequest?.httpMethod else { return nil }
        switch task.content {
        case .ofRequest, .stream, .resumed: return nil
        case .data(let data): return HTTPBody(data)
        case .file(let url): return try HTTPBody(contentsOf: url)
        }
    }

    /// One for each message that starts or repeats the request.
    private func announceNativeTask(sending request: URLRequest) {
        let native = NativeTask(task, sending: request)
        task.visible.withLock { visible in
            visible.native = native
            visible.currentRequest = request
        }
        for observer in observers { observer.sapURLSession(session, task: task, didCreate: native) }
        guard delegate != nil else { return }
        session.delegateQueue.addOperation { [self] in delegate?.sapURLSession(session, task: task, didCreate: native) }
    }

    // MARK: B. A redirect

    func redirected(to request: URLRequest, from response: HTTPURLResponse, _ decide: @escaping @Sendable (URLRequest?) -> Void) {
        guard task.followsRedirects, let proposed = Self.safeRedirect(to: request, from: response.url) else { return decide(nil) }
        redirect(to: proposed, from: response, observer: 0, decide)
    }

    /// What may be proposed: no secrets for another origin, nothing that leads from https to http.
    static func safeRedirect(to request: URLRequest, from url: URL?) -> URLRequest? {
        guard let url, let target = request.url, let from = Origin(url: url), let to = Origin(url: target) else { return nil }
        if from.scheme == "https", to.scheme == "http" { return nil }
        guard from != to else { return request }
        var request = request
        for name in ["Authorization", "Proxy-Authorization", "Cookie", "X-CSRF-Token"] { request.setValue(nil, forHTTPHeaderField: name) }
        return request
    }

    private func redirect(
        to request: URLRequest, from response: HTTPURLResponse, observer index: Int, _ decide: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let then: @Sendable (SAPURLSession.HTTPRedirectDisposition) -> Void = { [self] disposition in
            switch disposition {
            case .follow(let request) where index < observers.count:
                redirect(to: request, from: response, observer: index + 1, decide)
            case .follow(let request):
                follow(request, from: response.url, decide)
            case .doNotFollow: decide(nil)
            case .resend: resend { decide(nil) }
            case .cancel(let error): complete(response: response, error: error)
            }
        }
        if index < observers.count {
            ask("willPerformHTTPRedirection") { answer in
                observers[index].sapURLSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: answer)
            } then: {
                then($0)
            }
        } else {
            askDelegate("willPerformHTTPRedirection", otherwise: .follow(request)) { [session, task] delegate, answer in
                delegate.sapURLSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: answer)
            } then: {
                then($0)
            }
        }
    }

    /// Where identities are shown, connections belong to an origin, so that no other one is shown them.
    private func follow(_ request: URLRequest, from url: URL?, _ decide: @escaping @Sendable (URLRequest?) -> Void) {
        let leaves = request.url.flatMap { Origin(url: $0) } != url.flatMap { Origin(url: $0) }
        guard leaves, observers.contains(where: { $0 is any ClientIdentityProviding }) else {
            task.visible.withLock { $0.currentRequest = request }
            return decide(request)
        }
        departureCount += 1
        guard departureCount <= Self.departureLimit else { return complete(error: URLError(.httpTooManyRedirects)) }
        abandonAttempt(cancelling: false)
        decide(nil)
        var request = request
        // The proposal shows only content that is in memory.
        if request.httpBody == nil, request.httpMethod == task.currentRequest?.httpMethod { request.httpBodyStream = spentStream }
        send(request)
    }

    // MARK: C. A challenge

    func challenged(_ challenge: URLAuthenticationChallenge, _ decide: @escaping @Sendable (ChallengeDecision) -> Void) {
        answer(challenge, observer: 0, decide)
    }

    private func answer(
        _ challenge: URLAuthenticationChallenge, observer index: Int, _ decide: @escaping @Sendable (ChallengeDecision) -> Void
    ) {
        let isAboutServer = challenge.serverCertificates != nil
        let then: @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void = { [self] disposition in
            switch disposition {
            case .use(let credential) where isAboutServer: decide(.use(credential))
            case .use(let credential):
                guard authRetryCount < Self.authRetryLimit else {
                    return complete(
                        response: challenge.failureResponse, error: SAPURLSessionPipelineError.tooManyResends(limit: Self.authRetryLimit))
                }
                authRetryCount += 1
                if !challenge.protectionSpace.asksForClientCertificate, let request = task.currentRequest {
                    announceNativeTask(sending: request)
                }
                decide(.use(credential))
            case .performDefaultHandling where index < observers.count: answer(challenge, observer: index + 1, decide)
            case .performDefaultHandling: decide(.performDefaultHandling)
            case .rejectProtectionSpace: decide(.rejectProtectionSpace)
            case .cancel(let error): complete(response: challenge.failureResponse, error: error)
            }
        }
        if index < observers.count {
            if isAboutServer, !observers[index].answersServerTrust { return then(.performDefaultHandling) }
            ask("didReceive challenge") { answer in
                observers[index].sapURLSession(session, task: task, didReceive: challenge, completionHandler: answer)
            } then: {
                then($0)
            }
        } else {
            if isAboutServer, delegate?.answersServerTrust != true { return decide(.performDefaultHandling) }
            askDelegate("didReceive challenge", otherwise: .performDefaultHandling) { [session, task] delegate, answer in
                delegate.sapURLSession(session, task: task, didReceive: challenge, completionHandler: answer)
            } then: {
                then($0)
            }
        }
    }

    // MARK: D. A response

    func received(_ response: HTTPURLResponse) {
        // Foundation's engine on Linux does not send credentials to a proxy that it asks for a tunnel.
        if response.statusCode == 407, response.url?.scheme?.lowercased() == "https", !session.reachesProxies {
            return complete(error: SAPURLSessionPipelineError.proxyTunnelAuthenticationUnsupported(host: Self.environmentProxyHost))
        }
        let asksForIdentity =
            response.url?.scheme?.lowercased() == "https"
            && observers.contains { ($0 as? UserIdentityObserver)?.isChallenge(response: response) ?? false }
        guard asksForIdentity else { return judge(response, observer: 0) }
        let attempt = attempt
        challengeForIdentity(response: response) {
            attempt?.decide(.discard(limit: 65_536))
        } otherwise: { [self] in
            judge(response, observer: 0)
        }
    }

    private static var environmentProxyHost: String {
        let environment = ProcessInfo.processInfo.environment
        let text = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].lazy.compactMap { environment[$0] }.first ?? ""
        return URL(string: text.contains("://") ? text : "http://\(text)")?.host ?? "in https_proxy"
    }

    /// A certificate was wanted, or another one than was shown.
    private func challengeForIdentity(
        response: HTTPURLResponse?, _ letGo: @escaping @Sendable () -> Void, otherwise: @escaping @Sendable () -> Void
    ) {
        guard let request = task.currentRequest, let origin = request.url.flatMap({ Origin(url: $0) }) else { return otherwise() }
        let space = URLProtectionSpace(
            host: origin.host, port: origin.port, protocol: origin.scheme, realm: nil,
            authenticationMethod: "NSURLAuthenticationMethodClientCertificate")
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: identity == nil ? 0 : 1, failureResponse: response,
            error: nil, sender: AnswerlessSender())
        answer(challenge, observer: 0) { [self] decision in
            guard case .use(let credential) = decision, let identity = (credential as? UserIdentityCredential)?.identity else {
                return otherwise()
            }
            abandonAttempt(cancelling: false)
            letGo()
            send(request, showing: identity)
        }
    }

    private func judge(_ response: HTTPURLResponse, observer index: Int) {
        let then: @Sendable (SAPURLSession.ResponseDisposition) -> Void = { [self] disposition in
            switch disposition {
            case .allow where index < observers.count: judge(response, observer: index + 1)
            case .allow: accept(response)
            case .becomeDownload: becomeDownload(response)
            case .resend:
                let attempt = attempt
                resend { attempt?.decide(.discard(limit: 65_536)) }
            case .cancel(let error): complete(response: response, error: error)
            }
        }
        if index < observers.count {
            ask("didReceive response") { answer in
                observers[index].sapURLSession(session, dataTask: task, didReceive: response, completionHandler: answer)
            } then: {
                then($0)
            }
        } else {
            askDelegate("didReceive response", otherwise: .allow) { [session, task] delegate, answer in
                delegate.sapURLSession(session, dataTask: task, didReceive: response, completionHandler: answer)
            } then: {
                then($0)
            }
        }
    }

    func accept(_ response: HTTPURLResponse) {
        task.visible.withLock { $0.response = response }
        if downloadTask != nil { return download(response) }
        switch task.delivery {
        case .handler: attempt?.decide(.collect(limit: SessionLimits().collectedBytes))
        case .delegate, .download: attempt?.decide(.stream)
        }
    }

    /// Content for the delegate, from the transport's thread, in order.
    func deliver(_ bytes: Data, whenDelivered: @escaping @Sendable () -> Void, isWanted: @escaping @Sendable () -> Bool) {
        session.delegateQueue.addOperation { [self] in
            if isWanted() { delegate?.sapURLSession(session, dataTask: task, didReceive: bytes) }
            whenDelivered()
        }
    }

    /// Starts again with the original request; `letGo` lets the response go by.
    private func resend(_ letGo: () -> Void) {
        guard resendCount < Self.resendLimit else {
            return complete(error: SAPURLSessionPipelineError.tooManyResends(limit: Self.resendLimit))
        }
        resendCount += 1
        abandonAttempt(cancelling: false)
        letGo()
        begin()
    }

    // MARK: E. The end

    func ended(_ outcome: TransferOutcome, _ attempt: Attempt) {
        let response = task.response
        // It is over by itself: what it has brought is still delivered.
        self.attempt = nil
        guard let error = outcome.error else { return complete(data: outcome.content, response: response) }
        switch error.kind {
        case .clientCertificateRejected where response == nil && observers.contains { $0 is any ClientIdentityProviding }:
            challengeForIdentity(response: nil) {
            } otherwise: { [self] in
                complete(error: error.urlError)
            }
        case .bodyNotReplayable: complete(response: response, error: SAPURLSessionPipelineError.bodyNotReplayable)
        case .shutDown: complete(response: response, error: SAPURLSessionError.invalidURLSession)
        default:
            let resumeData = resumeData(after: attempt)
            giveResumeData(resumeData)
            complete(response: response, error: error.urlError.with(resumeData: resumeData))
        }
    }
}
