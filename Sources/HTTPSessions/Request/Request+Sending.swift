// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A request's way begins: it is made, adapted and sent. What comes of that is Request+Attempt's, its end Request+Conclusion's.
//
// Each step is begun under the lock and done outside it; a step that was overtaken, by cancelling or by its own second answer, ends in
// silence.
extension Request {
    /// From `resume()`: joins the session's requests and begins the first attempt.
    func start() {
        guard let session else { return failSetUp(.sessionDeinitialized) }
        session.register(self)
        // Cancelling may have ended the request before it was there to be forgotten.
        if isConcluded { return session.forget(self) }
        setUp(in: session)
    }

    private var isConcluded: Bool {
        mutable.withLock { state in
            if case .concluded = state.phase { true } else { false }
        }
    }

    /// For an eager session: everything up to sending, which waits for `resume()`.
    func prepareEagerly() {
        let begins = mutable.withLock { state in
            guard case .waiting = state.phase else { return false }
            state.phase = .settingUp(state.beginStep())
            return true
        }
        if begins { start() }
    }

    // MARK: The request is made and adapted

    func setUp(in session: Session) {
        if let queue = session.customRequestQueue {
            queue.async { self.makeRequest(in: session) }
        } else {
            makeRequest(in: session)
        }
    }

    private func makeRequest(in session: Session) {
        guard let step = currentStep else { return }
        let initial: URLRequest
        do {
            initial = try makeInitialRequest()
            try initial.validate()
        } catch {
            let error = error.asAFError(or: .createURLRequestFailed(error: error))
            notify { $0.request(self, didFailToCreateURLRequestWithError: error) }
            return fail(error, in: step)
        }
        mutable.withLock { $0.requests.append(initial) }
        if isMonitored { notify { $0.request(self, didCreateInitialURLRequest: initial) } }
        guard let adapter = effectiveInterceptor(in: session) else { return send(initial, in: session, step: step) }
        let state = RequestAdapterState(requestID: id, session: session)
        adapter.adapt(initial, using: state) { [weak session] result in
            guard let session else { return self.fail(.sessionDeinitialized, in: step) }
            self.didAdapt(initial, to: result, in: session, step: step)
        }
    }

    private func didAdapt(_ initial: URLRequest, to result: Result<URLRequest, any Error>, in session: Session, step: Int) {
        // A second answer finds the step that it belongs to gone.
        guard let next = mutable.withLock({ $0.advance(after: step) }) else { return }
        do {
            let adapted = try result.mapError { AFError.requestAdaptationFailed(error: $0) }.get()
            try adapted.validate()
            mutable.withLock { $0.requests.append(adapted) }
            notify { $0.request(self, didAdaptInitialRequest: initial, to: adapted) }
            send(adapted, in: session, step: next)
        } catch {
            let error = error.asAFError(or: .requestAdaptationFailed(error: error))
            notify { $0.request(self, didFailToAdaptURLRequest: initial, withError: error) }
            fail(error, in: next)
        }
    }

    func failSetUp(_ error: AFError) {
        if let step = currentStep { fail(error, in: step) }
    }

    private var currentStep: Int? {
        mutable.withLock { state in
            if case .settingUp(let step) = state.phase { step } else { nil }
        }
    }

    /// The session's interceptor, then the request's.
    func effectiveInterceptor(in session: Session) -> (any RequestInterceptor)? {
        switch (session.interceptor, interceptor) {
        case (nil, let own): own
        case (let shared, nil): shared
        case (let shared?, let own?): Interceptor(interceptors: [shared, own])
        }
    }

    // MARK: It is sent

    private func send(_ urlRequest: URLRequest, in session: Session, step: Int) {
        let body: HTTPBody?
        let exchange: Exchange
        do {
            body = try makeBody(for: urlRequest)
            try checkReplay(of: body, in: urlRequest)
            exchange = try session.makeExchange(urlRequest, body: body, for: self)
        } catch let error as HTTPError {
            // A stream that is gone does not come back, however often a retrier is asked.
            return fail(AFError(error), in: step, asksRetrier: error.kind != .bodyNotReplayable)
        } catch {
            return fail(error.asAFError(or: .createUploadableFailed(error: error)), in: step)
        }
        let (begins, extras) = mutable.withLock { state in
            guard case .settingUp(step) = state.phase else { return (false, Extras?.none) }
            state.phase = .exchanging
            state.exchange = exchange
            state.lastIsPerformed = true
            return (true, state.extras)
        }
        guard begins else { return }
        announce(urlRequest, to: extras)
        exchange.start()
    }

    /// A retry must not send what an earlier attempt has read from a stream.
    private func checkReplay(of body: HTTPBody?, in urlRequest: URLRequest) throws {
        guard body?.replay == .once || body == nil && urlRequest.httpBodyStream != nil,
            let earlier = mutable.withLock({ $0.earlierPerformed.last })
        else { return }
        // Whoever makes the request may have opened a new stream for this attempt.
        if body == nil, urlRequest.httpBodyStream !== earlier.httpBodyStream { return }
        throw HTTPError(
            .bodyNotReplayable, attempting: "\(urlRequest.httpMethod ?? "GET") \(urlRequest.url?.redactedDescription ?? "")",
            "the request is to be sent again, but its content comes from a stream that can be read only once; send it from data or a file")
    }

    private func announce(_ urlRequest: URLRequest, to extras: Extras?) {
        if isMonitored { notify { $0.request(self, didCreateURLRequest: urlRequest) } }
        if let extras {
            for handler in extras.requestCreationHandlers { handler(urlRequest) }
            if !extras.taskCreationHandlers.isEmpty {
                let task = currentTask
                for handler in extras.taskCreationHandlers { handler(task) }
            }
            callDescriptionHandlers()
        }
        notifyOfTask { $0.request(self, didCreateTask: $1) }
        if !isHeld { notifyOfTask { $0.request(self, didResumeTask: $1) } }
    }

    /// The final request is known, or there will be none: whoever waits for a description of it gets it.
    func callDescriptionHandlers() {
        let handlers = mutable.withLock { state in
            guard state.extras?.descriptionHandlers.isEmpty == false else { return [@Sendable () -> Void]() }
            return state.withExtras { extras in
                defer { extras.descriptionHandlers = [] }
                return extras.descriptionHandlers
            }
        }
        for handler in handlers { handler() }
    }
}
