// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A request is over: its handlers are served and called, and those that come later, too.
extension Request {
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
        let (isFirst, handlers) = mutable.withLock { state in
            state.phase = .concluded
            if state.state.canBecome(.finished) { state.state = .finished }
            defer { state.hasConcluded = true }
            return (!state.hasConcluded, state.takeHandlers())
        }
        session?.forget(self)
        if isFirst { didConclude() }
        for observer in handlers.observers { observer.requestIsOver(self) }
        for completion in handlers.completions { completion() }
        if isFirst { notify { $0.requestDidFinish(self) } }
        withExtendedLifetime(handlers) {}
    }

    /// Puts a serializer's failure before the retriers; `complete` gets the error that the handler is called with, if it is another one.
    func settle(
        _ error: AFError?, done: @escaping @Sendable (ResponseHandler.Outcome) -> Void,
        complete: @escaping @Sendable (_ error: AFError?) -> Void
    ) {
        guard let error, self.error == nil, let session, let retrier = effectiveInterceptor(in: session) else {
            return done(.complete { complete(nil) })
        }
        let step: Int? = mutable.withLock { state in
            guard case .concluding = state.phase, state.state != .cancelled, !state.hasConcluded else { return nil }
            let step = state.beginStep()
            state.withExtras { $0.questionedHandler = (step, { done(.complete { complete(nil) }) }) }
            return step
        }
        guard let step else { return done(.complete { complete(nil) }) }
        retrier.retry(self, for: session, dueTo: error) { result in
            // A second answer, or one that comes after the request was cancelled, finds the question gone.
            let isFirst = self.mutable.withLock { state in
                guard state.extras?.questionedHandler?.step == step else { return false }
                state.withExtras { $0.questionedHandler = nil }
                return true
            }
            guard isFirst else { return }
            switch result {
            case .doNotRetry: done(.complete { complete(nil) })
            case .doNotRetryWithError(let retryError):
                let final = AFError.requestRetryFailed(retryError: retryError, originalError: error)
                done(.complete { complete(final) })
            case .retry: done(.retry(after: 0) { complete(nil) })
            case .retryWithDelay(let delay): done(.retry(after: delay) { complete(nil) })
            }
        }
    }

    private func retryAfterSerializing(delay: TimeInterval, abandon: @escaping @Sendable () -> Void) {
        guard session != nil else { return completeHandler(with: abandon) }
        let (step, dropped) = mutable.withLock { state -> (Int?, [@Sendable () -> Void]) in
            guard state.state != .cancelled, !state.hasConcluded else { return (nil, []) }
            let step = state.beginStep()
            state.phase = .deciding(step)
            // If it comes to nothing, all of them are served once more.
            state.nextResponseHandler = 0
            return (step, state.completions.takeAll())
        }
        withExtendedLifetime(dropped) {}
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

    /// Tells `observer` when the request is over, without a hop over a queue; at once if it is over.
    /// - Parameter handlersAreComplete: whether nobody but the observer has the request, and it adds no handlers of progress from now on.
    package func tellEnd(to observer: any RequestObserver, handlersAreComplete: Bool = false) {
        let isOver = mutable.withLock { state in
            if handlersAreComplete { state.handlersAreComplete = true }
            switch state.phase {
            case .concluded: return true
            case .waiting, .settingUp, .exchanging, .deciding, .concluding:
                state.observers.append(observer)
                return false
            }
        }
        if isOver { observer.requestIsOver(self) }
    }
}
