// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A request's way, top to bottom. Each step is begun under the lock and done outside it; a step that was overtaken, by cancelling or by its
// own second answer, ends in silence.
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
            return fail(error, in: step)
        }
        mutable.withLock { $0.requests.append(initial) }
        notify { $0.request(self, didCreateInitialURLRequest: initial) }
        guard let adapter = effectiveInterceptor(in: session) else { return send(initial, in: session, step: step) }
        let state = RequestAdapterState(requestID: id, session: session)
        adapter.adapt(initial, using: state) { [weak session] result in
            guard let session else { return self.fail(.sessionDeinitialized, in: step) }
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
            fail(error, in: next)
        }
    }

    private func failSetUp(_ error: AFError) {
        if let step = currentStep { fail(error, in: step) }
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
        notify { $0.request(self, didCreateURLRequest: urlRequest) }
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

    func attemptDidFinish(_ outcome: TransferOutcome) {
        let (response, urlRequest, isCancelled, challengeTask) = mutable.withLock { state in
            state.exchange = nil
            if let metrics = outcome.metrics { state.metrics.append(metrics) }
            return (state.response, state.requests.last, state.state == .cancelled, state.extras?.challengeTask)
        }
        challengeTask?.cancel()
        if let metrics = outcome.metrics { notify { $0.request(self, didGatherMetrics: metrics) } }
        switch takeOver(outcome, response: response) {
        case .done(let error):
            didTakeOver(outcome, error: error, response: response, urlRequest: urlRequest, isCancelled: isCancelled)
        case .later(let rest):
            DispatchQueue.global().async {
                self.didTakeOver(outcome, error: rest(), response: response, urlRequest: urlRequest, isCancelled: isCancelled)
            }
        }
    }

    private func didTakeOver(
        _ outcome: TransferOutcome, error: AFError?, response: ReceivedResponse?, urlRequest: URLRequest?, isCancelled: Bool
    ) {
        var error = error
        if isCancelled {
            error = self.error ?? .explicitlyCancelled
        } else if error == nil, let failure = outcome.error {
            error = failure.kind == .cancelled ? .explicitlyCancelled : AFError(failure)
        }
        notifyOfTask { [error] in $0.request(self, didCompleteTask: $1, with: error) }
        if error == nil, let response { error = validate(urlRequest, response) }
        if let error { return fail(error, in: nil) }
        let (begins, wasCancelled) = mutable.withLock { state in
            guard case .exchanging = state.phase else { return (false, false) }
            state.beginConcluding(with: nil)
            return (true, state.error != nil)
        }
        guard begins else { return }
        // Cancelled when all was there already: nothing of it is to stay.
        if wasCancelled { resetForRetry() }
        conclude()
    }

    /// An attempt failed: a retrier may have it sent again.
    /// - Parameter step: the step of the setup that failed; `nil` for the exchange.
    private func fail(_ error: AFError, in step: Int?, asksRetrier: Bool = true) {
        let session = session
        let retrier = asksRetrier && !error.isExplicitlyCancelledError ? session.flatMap { effectiveInterceptor(in: $0) } : nil
        let (concludes, question) = mutable.withLock { state -> (Bool, Int?) in
            switch (state.phase, step) {
            case (.settingUp(let current), let step?) where current == step: break
            case (.exchanging, nil): break
            case (.waiting, _), (.settingUp, _), (.exchanging, _), (.deciding, _), (.concluding, _), (.concluded, _): return (false, nil)
            }
            guard retrier != nil, state.state != .cancelled else {
                state.beginConcluding(with: error)
                return (true, nil)
            }
            state.error = error
            let question = state.beginStep()
            state.phase = .deciding(question)
            return (false, question)
        }
        if concludes { return conclude() }
        guard let question, let retrier, let session else { return }
        retrier.retry(self, for: session, dueTo: error) { result in
            self.didDecide(result, about: error, step: question)
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
            sendAgain(after: next, delay: delay)
        }
    }

    /// Not a number means no delay; what is endless ends when the request is cancelled.
    private func sendAgain(after step: Int, delay: TimeInterval) {
        guard delay > 0 else { return sendAgain(after: step) }
        (session?.rootQueue ?? .main).asyncAfter(deadline: .now() + delay) { self.sendAgain(after: step) }
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
        guard let session else { return failSetUp(.sessionDeinitialized) }
        setUp(in: session)
    }

    // MARK: 4. It is over

    private func conclude(with error: AFError, after step: Int) {
        let begins = mutable.withLock { state in
            guard case .deciding(step) = state.phase else { return false }
            state.beginConcluding(with: error)
            return true
        }
        if begins { conclude() }
    }

    /// Serves every handler that is there, then calls them.
    func conclude() {
        callDescriptionHandlers()
        serveNextResponseHandler()
    }

    /// Serves the handlers one by one, then completes them all in order, those of the package first and without a queue. A handler that is
    /// added later is served at once.
    private func serveNextResponseHandler() {
        let handler = mutable.withLock { state -> ResponseHandler? in
            guard case .concluding = state.phase, state.nextResponseHandler < state.responseHandlers.count else { return nil }
            state.nextResponseHandler += 1
            return state.responseHandlers[state.nextResponseHandler - 1]
        }
        guard let handler else { return completeHandlers() }
        handler.serve(self) { outcome in
            switch outcome {
            case .complete(let completion):
                self.completeHandler(with: completion)
            case .retry(let delay, let abandon):
                self.retryAfterSerializing(delay: delay, abandon: abandon)
            }
        }
    }

    private func completeHandler(with completion: @escaping @Sendable () -> Void) {
        mutable.withLock { $0.completions.append(completion) }
        serveNextResponseHandler()
    }

    private func completeHandlers() {
        let (isFirst, finishHandlers, completions) = mutable.withLock { state in
            state.phase = .concluded
            state.responseHandlers = []
            state.nextResponseHandler = 0
            if state.state.canBecome(.finished) { state.state = .finished }
            defer {
                state.hasConcluded = true
                state.finishHandlers = ShortList()
                state.completions = []
                // What was given to the request may hold it.
                state.progress?.removeHandlers()
                if state.extras != nil { state.withExtras { $0.removeHandlers() } }
            }
            return (!state.hasConcluded, state.finishHandlers, state.completions)
        }
        session?.forget(self)
        if isFirst { didConclude() }
        for handler in finishHandlers { handler(self) }
        for completion in completions { completion() }
        if isFirst { notify { $0.requestDidFinish(self) } }
    }

    private func retryAfterSerializing(delay: TimeInterval, abandon: @escaping @Sendable () -> Void) {
        let step: Int? = mutable.withLock { state in
            guard state.state != .cancelled, !state.hasConcluded, session != nil else { return nil }
            let step = state.beginStep()
            state.phase = .deciding(step)
            // If it comes to nothing, all of them are served once more.
            state.nextResponseHandler = 0
            state.completions = []
            return step
        }
        guard let step else { return completeHandler(with: abandon) }
        sendAgain(after: step, delay: delay)
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
            case .concluded: return true
            case .waiting, .settingUp, .exchanging, .deciding, .concluding:
                state.finishHandlers.append(handler)
                return false
            }
        }
        if isOver { handler(self) }
    }
}
