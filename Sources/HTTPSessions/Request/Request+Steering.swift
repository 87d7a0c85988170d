// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Request {
    /// Starts the request, or goes on with it after ``suspend()``. Does nothing once it is cancelled or over.
    @discardableResult
    public func resume() -> Self {
        let (changed, starts, exchange) = mutable.withLock { state in
            guard state.state.canBecome(.resumed) else { return (false, false, Exchange?.none) }
            state.state = .resumed
            guard case .waiting = state.phase else { return (true, false, state.exchange) }
            state.phase = .settingUp(state.beginStep())
            return (true, true, nil)
        }
        guard changed else { return self }
        notify { $0.requestDidResume(self) }
        if starts { start() }
        if let exchange {
            exchange.steer()
            notifyOfTask { $0.request(self, didResumeTask: $1) }
        }
        return self
    }

    /// Holds the request: nothing is sent or received until ``resume()``.
    @discardableResult
    public func suspend() -> Self {
        let (changed, exchange) = mutable.withLock { state in
            guard state.state.canBecome(.suspended) else { return (false, Exchange?.none) }
            state.state = .suspended
            return (true, state.exchange)
        }
        guard changed else { return self }
        exchange?.steer()
        notify { $0.requestDidSuspend(self) }
        if exchange != nil { notifyOfTask { $0.request(self, didSuspendTask: $1) } }
        return self
    }

    /// Ends the request with `AFError.explicitlyCancelled`, unless it is over. ``isCancelled`` is true at once. Handlers are called when
    /// the transfer under way has ended, or at once if there is none.
    @discardableResult
    public func cancel() -> Self {
        cancel(with: .explicitlyCancelled)
        return self
    }

    func cancel(with error: AFError) {
        let (changed, exchange, concludes, abandon) = mutable.withLock { state -> (Bool, Exchange?, Bool, (@Sendable () -> Void)?) in
            guard state.state.canBecome(.cancelled) else { return (false, nil, false, nil) }
            state.state = .cancelled
            switch state.phase {
            case .waiting, .settingUp, .deciding:
                _ = state.beginStep()
                state.beginConcluding(with: error)
                return (true, nil, true, nil)
            case .exchanging:
                state.error = error
                return (true, state.exchange, false, nil)
            case .concluding, .concluded:
                if state.error == nil { state.error = error }
                guard let questioned = state.extras?.questionedHandler else { return (true, nil, false, nil) }
                state.withExtras { $0.questionedHandler = nil }
                return (true, nil, false, questioned.abandon)
            }
        }
        guard changed else { return }
        notify { $0.requestDidCancel(self) }
        if let exchange {
            notifyOfTask { $0.request(self, didCancelTask: $1) }
            exchange.cancel()
            mutable.withLock { $0.extras?.challengeTask }?.cancel()
        }
        if concludes { conclude() }
        abandon?()
    }

    /// Answers a challenge (401 or 407) with this user-id and password: by Digest or Basic and, over libcurl, by Negotiate or NTLM,
    /// whichever is the strongest. Nothing is sent before a challenge of the same protection space has asked for it. Called while the
    /// request is under way, it counts from the next challenge on.
    @discardableResult
    public func authenticate(
        username: String, password: String, persistence: URLCredential.Persistence = .forSession
    ) -> Self {
        authenticate(with: URLCredential(user: username, password: password, persistence: persistence))
    }

    /// Answers a challenge with this credential.
    @discardableResult
    public func authenticate(with credential: URLCredential) -> Self {
        mutable.withLock { $0.credential = credential }
        return self
    }

    /// Lets `handler` answer challenges, instead of the session's. May be called once.
    @discardableResult
    public func answerChallenges(using handler: any ChallengeHandler) -> Self {
        setOnce(handler, as: \.challengeHandler, "a request takes one challenge handler")
    }

    /// Calls `closure` on `queue` (the main queue by default) with each step of the download.
    @discardableResult
    public func downloadProgress(queue: DispatchQueue = .main, closure: @escaping ProgressHandler) -> Self {
        addProgressHandler(ProgressState.Handler(direction: .down, queue: queue, handler: closure))
        return self
    }

    /// Calls `closure` on `queue` (the main queue by default) with each step of the upload.
    @discardableResult
    public func uploadProgress(queue: DispatchQueue = .main, closure: @escaping ProgressHandler) -> Self {
        addProgressHandler(ProgressState.Handler(direction: .up, queue: queue, handler: closure))
        return self
    }

    /// Calls `handler` on the engine's thread.
    package func onProgress(upload: Bool, _ handler: @escaping ProgressHandler) {
        addProgressHandler(ProgressState.Handler(direction: upload ? .up : .down, queue: nil, handler: handler))
    }

    private func addProgressHandler(_ handler: ProgressState.Handler) {
        mutable.withLock { $0.madeProgress().add(handler) }
    }

    /// Lets `handler` decide about redirects, instead of the session's. May be called once.
    @discardableResult
    public func redirect(using handler: any RedirectHandler) -> Self {
        setOnce(handler, as: \.redirectHandler, "a request takes one redirect handler")
    }

    /// Keeps `handler` for code that expects one; it is not called, since responses are not stored (see ``CachedResponseHandler``). May be
    /// called once.
    @discardableResult
    public func cacheResponse(using handler: any CachedResponseHandler) -> Self {
        setOnce(handler, as: \.cachedResponseHandler, "a request takes one cached response handler")
    }

    private func setOnce<Handler>(
        _ handler: Handler, as property: WritableKeyPath<Extras, Handler?>, _ complaint: @autoclosure () -> String
    ) -> Self {
        let isFirst = mutable.withLock { state in
            state.withExtras { extras in
                guard extras[keyPath: property] == nil else { return false }
                extras[keyPath: property] = handler
                return true
            }
        }
        precondition(isFirst, complaint())
        return self
    }

    /// Calls `handler` on `queue` (the main queue by default) with each attempt's final request. Sending does not wait for it.
    @discardableResult
    public func onURLRequestCreation(on queue: DispatchQueue = .main, perform handler: @escaping @Sendable (URLRequest) -> Void) -> Self {
        let dispatched: @Sendable (URLRequest) -> Void = { request in queue.async { handler(request) } }
        let known = mutable.withLock { state in
            state.withExtras { $0.requestCreationHandlers.append(dispatched) }
            if case .settingUp = state.phase { return URLRequest?.none }
            return state.requests.last
        }
        if let known { dispatched(known) }
        return self
    }

    /// Calls `handler` on `queue` (the main queue by default) with each attempt's task.
    @discardableResult
    public func onURLSessionTaskCreation(
        on queue: DispatchQueue = .main, perform handler: @escaping @Sendable (URLSessionTask) -> Void
    ) -> Self {
        let dispatched: @Sendable (URLSessionTask) -> Void = { task in
            let task = TransferTaskReference(task)
            queue.async { handler(task.task) }
        }
        let isExchanging = mutable.withLock { state in
            state.withExtras { $0.taskCreationHandlers.append(dispatched) }
            return state.exchange != nil
        }
        if isExchanging { dispatched(currentTask) }
        return self
    }

    /// Adds an interceptor behind the one the request has.
    @discardableResult
    public func interceptor(_ interceptor: any RequestInterceptor) -> Self {
        mutable.withLock { state in
            state.interceptor = state.interceptor.map { Interceptor(interceptors: [$0, interceptor]) } ?? interceptor
        }
        return self
    }

    /// Adds an adapter behind the interceptor that the request has.
    @discardableResult
    public func adapt(using adapter: any RequestAdapter) -> Self {
        interceptor(Interceptor(adapters: [adapter]))
    }

    /// Adds a retrier behind the interceptor that the request has.
    @discardableResult
    public func retry(using retrier: any RequestRetrier) -> Self {
        interceptor(Interceptor(retriers: [retrier]))
    }

    /// Adds a monitor of this request's events.
    @discardableResult
    public func eventMonitor(_ monitor: any EventMonitor) -> Self {
        mutable.withLock { state in
            state.withExtras { extras in
                extras.eventMonitor = extras.eventMonitor.map { CompositeEventMonitor(monitors: [$0, monitor]) } ?? monitor
            }
        }
        monitorWasAdded()
        return self
    }
}

/// Carries a task to a queue: `URLSessionTask` may be used from any thread, but is not marked so on every platform.
struct TransferTaskReference: @unchecked Sendable {  // the task may be used from any thread
    let task: URLSessionTask
    init(_ task: URLSessionTask) { self.task = task }
}
