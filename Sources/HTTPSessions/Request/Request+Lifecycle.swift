// SPDX-License-Identifier: MIT

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import HTTPMessages

// A request's way, top to bottom. Each step is begun under the lock and done outside it; a step that was overtaken, by cancelling or by its own
// second answer, ends in silence.
extension Request {
    /// From `resume()`: joins the session's requests and begins the first attempt.
    func start() {
        guard let session else { return fail(.sessionDeinitialized) }
        session.register(self)
        setUp(in: session)
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

    // MARK: 1. The request is made and adapted

    private func setUp(in session: Session) {
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
            return fail(error)
        }
        mutable.withLock { $0.requests.append(initial) }
        notify { $0.request(self, didCreateInitialURLRequest: initial) }
        guard let adapter = effectiveInterceptor(in: session) else { return send(initial, in: session, step: step) }
        let state = RequestAdapterState(requestID: id, session: session)
        adapter.adapt(initial, using: state) { [weak session] result in
            guard let session else { return self.fail(.sessionDeinitialized) }
            self.didAdapt(initial, to: result, in: session, step: step)
        }
    }

    private func didAdapt(_ initial: URLRequest, to result: Result<URLRequest, any Error>, in session: Session, step: Int) {
        // A second answer finds the step that it belongs to gone.
        guard let next = advanceStep(step) else { return }
        do {
            let adapted = try result.mapError { AFError.requestAdaptationFailed(error: $0) }.get()
            try adapted.validate()
            mutable.withLock { $0.requests.append(adapted) }
            notify { $0.request(self, didAdaptInitialRequest: initial, to: adapted) }
            send(adapted, in: session, step: next)
        } catch {
            let error = error.asAFError(or: .requestAdaptationFailed(error: error))
            notify { $0.request(self, didFailToAdaptURLRequest: initial, withError: error) }
            fail(error)
        }
    }

    private var currentStep: Int? {
        mutable.withLock { state in
            if case .settingUp(let step) = state.phase { step } else { nil }
        }
    }

    private func advanceStep(_ step: Int) -> Int? {
        mutable.withLock { state in
            guard case .settingUp(step) = state.phase else { return nil }
            let next = state.beginStep()
            state.phase = .settingUp(next)
            return next
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

    // MARK: 2. It is sent

    private func send(_ urlRequest: URLRequest, in session: Session, step: Int) {
        let body: HTTPBody?
        let exchange: Exchange
        do {
            body = try makeBody(for: urlRequest)
            exchange = try session.makeExchange(urlRequest, body: body, for: self)
        } catch {
            return fail(error.asAFError(or: .createUploadableFailed(error: error)))
        }
        let (begins, isSuspended, extras) = mutable.withLock { state in
            guard case .settingUp(step) = state.phase else { return (false, false, Extras?.none) }
            state.phase = .exchanging
            state.exchange = exchange
            state.lastIsPerformed = true
            return (true, state.state != .resumed, state.extras)
        }
        guard begins else { return }
        announce(urlRequest, to: extras)
        if isSuspended { exchange.suspend() }
        exchange.start()
    }

    private func announce(_ urlRequest: URLRequest, to extras: Extras?) {
        notify { $0.request(self, didCreateURLRequest: urlRequest) }
        if let extras {
            for handler in extras.requestCreationHandlers { handler(urlRequest) }
            if !extras.taskCreationHandlers.isEmpty {
                let task = currentTask
                for handler in extras.taskCreationHandlers { handler(task) }
            }
            callDescriptionHandlers()
        }
        notify { $0.request(self, didCreateTask: self.currentTask) }
    }

    /// The final request is known, or there will be none: whoever waits for a description of it gets it.
    private func callDescriptionHandlers() {
        let handlers = mutable.withLock { state in
            guard state.extras?.descriptionHandlers.isEmpty == false else { return [@Sendable () -> Void]() }
            return state.withExtras { extras in
                defer { extras.descriptionHandlers = [] }
                return extras.descriptionHandlers
            }
        }
        for handler in handlers { handler() }
    }

    // MARK: 3. An attempt has ended

    private func didFinish(_ outcome: TransferOutcome) {
        let (response, urlRequest, isCancelled) = mutable.withLock { state in
            state.exchange = nil
            if let metrics = outcome.metrics { state.metrics.append(metrics) }
            return (state.response, state.requests.last, state.state == .cancelled)
        }
        if let metrics = outcome.metrics { notify { $0.request(self, didGatherMetrics: metrics) } }
        var error = takeOver(outcome, response: response)
        if isCancelled {
            error = self.error ?? .explicitlyCancelled
        } else if error == nil, let failure = outcome.error {
            error = failure.kind == .cancelled ? .explicitlyCancelled : AFError(failure)
        }
        notify { [error] in $0.request(self, didCompleteTask: self.currentTask, with: error) }
        if error == nil, let response { error = validate(urlRequest, response) }
        if let error { fail(error) } else { conclude(with: nil) }
    }

    /// An attempt failed: a retrier may have it sent again.
    func fail(_ error: AFError) {
        guard let session, !isCancelled, let retrier = effectiveInterceptor(in: session) else { return conclude(with: error) }
        let step: Int? = mutable.withLock { state in
            switch state.phase {
            case .concluding, .concluded: return nil
            case .waiting, .settingUp, .exchanging, .deciding: break
            }
            guard state.state != .cancelled else { return nil }
            state.error = error
            let step = state.beginStep()
            state.phase = .deciding(step)
            return step
        }
        guard let step else { return conclude(with: error) }
        retrier.retry(self, for: session, dueTo: error) { result in
            self.didDecide(result, about: error, step: step)
        }
    }

    private func didDecide(_ result: RetryResult, about error: AFError, step: Int) {
        switch result {
        case .doNotRetry:
            conclude(with: error, after: step)
        case .doNotRetryWithError(let retryError):
            conclude(with: .requestRetryFailed(retryError: retryError, originalError: error), after: step)
        case .retry:
            sendAgain(after: step)
        case .retryWithDelay(let delay):
            // Cancelling meanwhile ends the step, so that the late call finds nothing to do.
            guard let next = advanceDecision(step) else { return }
            (session?.rootQueue ?? .main).asyncAfter(deadline: .now() + max(delay, 0)) { self.sendAgain(after: next) }
        }
    }

    private func advanceDecision(_ step: Int) -> Int? {
        mutable.withLock { state in
            guard case .deciding(step) = state.phase else { return nil }
            let next = state.beginStep()
            state.phase = .deciding(next)
            return next
        }
    }

    private func sendAgain(after step: Int) {
        let begins = mutable.withLock { state in
            guard case .deciding(step) = state.phase else { return false }
            state.phase = .settingUp(state.beginStep())
            state.retryCount += 1
            state.earlierPerformed = state.performed
            state.lastIsPerformed = false
            state.error = nil
            state.response = nil
            state.progress?.reset()
            state.nextResponseHandler = 0
            state.completions = []
            return true
        }
        guard begins else { return }
        resetForRetry()
        notify { $0.requestIsRetrying(self) }
        guard let session else { return fail(.sessionDeinitialized) }
        setUp(in: session)
    }

    // MARK: 4. It is over

    private func conclude(with error: AFError?, after step: Int) {
        let begins = mutable.withLock { state in
            if case .deciding(step) = state.phase { true } else { false }
        }
        if begins { conclude(with: error) }
    }

    private func conclude(with error: AFError?) {
        let begins = mutable.withLock { state in
            switch state.phase {
            case .concluding, .concluded: return false
            case .waiting, .settingUp, .exchanging, .deciding: break
            }
            state.phase = .concluding
            state.exchange = nil
            if state.state == .cancelled {
                state.error = state.error ?? error
            } else {
                state.error = error
            }
            return true
        }
        if begins { conclude() }
    }

    /// Calls every handler that is there, those of the package first and without a queue.
    func conclude() {
        willConclude()
        callDescriptionHandlers()
        session?.forget(self)
        let handlers = mutable.withLock { state in
            defer { state.finishHandlers = [] }
            return state.finishHandlers
        }
        for handler in handlers { handler(self) }
        serveNextResponseHandler()
    }

    /// Serves the handlers one by one, then completes them all in order. A handler that is added later is served at once.
    private func serveNextResponseHandler() {
        let (handler, completions) = mutable.withLock { state -> (ResponseHandler?, [@Sendable () -> Void]) in
            if state.nextResponseHandler < state.responseHandlers.count {
                state.nextResponseHandler += 1
                return (state.responseHandlers[state.nextResponseHandler - 1], [])
            }
            state.phase = .concluded
            state.responseHandlers = []
            state.nextResponseHandler = 0
            if state.state.canBecome(.finished) { state.state = .finished }
            defer { state.completions = [] }
            return (nil, state.completions)
        }
        guard let handler else {
            for completion in completions { completion() }
            notify { $0.requestDidFinish(self) }
            return
        }
        handler.serve(self) { outcome in
            switch outcome {
            case .complete(let completion):
                self.mutable.withLock { $0.completions.append(completion) }
                self.serveNextResponseHandler()
            case .retry(let delay):
                self.retryAfterSerializing(delay: delay)
            }
        }
    }

    private func retryAfterSerializing(delay: TimeInterval) {
        let step: Int? = mutable.withLock { state in
            guard state.state != .cancelled else { return nil }
            let step = state.beginStep()
            state.phase = .deciding(step)
            return step
        }
        guard let step else { return serveNextResponseHandler() }
        session?.register(self)
        guard delay > 0 else { return sendAgain(after: step) }
        (session?.rootQueue ?? .main).asyncAfter(deadline: .now() + delay) { self.sendAgain(after: step) }
    }

    /// Adds a handler; the first one starts the request, if the session says so.
    func add(_ handler: ResponseHandler) {
        let isLate = mutable.withLock { state in
            state.responseHandlers.append(handler)
            guard case .concluded = state.phase else { return false }
            state.phase = .concluding
            return true
        }
        if isLate { return serveNextResponseHandler() }
        if startsWithFirstHandler { resume() }
    }

    var startsWithFirstHandler: Bool {
        guard let session else { return true }
        return isInitialized && (resumesAutomatically ?? session.startRequestsImmediately)
    }

    /// Calls `handler` when the request is over, on the thread that ends it and without a hop over a queue; at once if it is over.
    package func whenFinished(_ handler: @escaping @Sendable (Request) -> Void) {
        let isOver = mutable.withLock { state in
            switch state.phase {
            case .concluding, .concluded: return true
            case .waiting, .settingUp, .exchanging, .deciding:
                state.finishHandlers.append(handler)
                return false
            }
        }
        if isOver { handler(self) }
    }
}

// MARK: - ExchangeDelegate

extension Request: ExchangeDelegate {
    var effectiveRedirectHandler: (any RedirectHandler)? { redirectHandler ?? session?.redirectHandler }

    func exchange(_ exchange: Exchange, didReceive response: ReceivedResponse) -> ContentDisposition {
        mutable.withLock { $0.response = response }
        return disposition(for: response)
    }

    /// Answers a disposition that was put off.
    func decide(_ disposition: ContentDisposition) {
        mutable.withLock { $0.exchange }?.decide(disposition)
    }

    func exchange(_ exchange: Exchange, didReceiveContent bytes: Data) -> ContentDemand {
        didReceive(content: bytes)
    }

    func exchange(_ exchange: Exchange, didProgress progress: TransferProgress) {
        let calls = mutable.withLock { state in
            var current = state.progress ?? ProgressState()
            state.progress = nil
            defer { state.progress = current }
            return current.update(progress)
        }
        for call in calls { call() }
    }

    func exchange(_ exchange: Exchange, didFinish outcome: TransferOutcome) {
        didFinish(outcome)
    }
}
