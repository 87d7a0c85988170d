// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// An attempt has ended, or was never made: the request concludes, or a retrier has it sent again.
extension Request {
    func attemptDidFinish(_ outcome: TransferOutcome) {
        let (response, urlRequest, isCancelled, challengeTask) = mutable.withLock { state in
            state.exchange = nil
            if let measurement = outcome.measurement { state.measurements.append(measurement) }
            return (state.response, state.requests.last, state.state == .cancelled, state.extras?.challengeTask)
        }
        challengeTask?.cancel()
        if isMonitored, let metrics = outcome.metrics { notify { $0.request(self, didGatherMetrics: metrics) } }
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
        if isMonitored { notifyOfTask { [error] in $0.request(self, didCompleteTask: $1, with: error) } }
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
    func fail(_ error: AFError, in step: Int?, asksRetrier: Bool = true) {
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
            guard let next = mutable.withLock({ $0.advance(after: step) }) else { return }
            sendAgain(after: next, delay: delay)
        }
    }

    private func conclude(with error: AFError, after step: Int) {
        let begins = mutable.withLock { state in
            guard case .deciding(step) = state.phase else { return false }
            state.beginConcluding(with: error)
            return true
        }
        if begins { conclude() }
    }

    /// Not a number means no delay; what is endless ends when the request is cancelled.
    func sendAgain(after step: Int, delay: TimeInterval) {
        guard delay > 0 else { return sendAgain(after: step) }
        (session?.rootQueue ?? .main).asyncAfter(deadline: .now() + delay) { self.sendAgain(after: step) }
    }

    private func sendAgain(after step: Int) {
        let (begins, dropped) = mutable.withLock { state -> (Bool, [@Sendable () -> Void]) in
            guard case .deciding(step) = state.phase else { return (false, []) }
            state.phase = .settingUp(state.beginStep())
            state.retryCount += 1
            state.earlierPerformed = state.performed
            state.lastIsPerformed = false
            state.error = nil
            state.response = nil
            state.progress?.reset()
            state.nextResponseHandler = 0
            return (true, state.completions.takeAll())
        }
        withExtendedLifetime(dropped) {}
        guard begins else { return }
        resetForRetry()
        notify { $0.requestIsRetrying(self) }
        guard let session else { return failSetUp(.sessionDeinitialized) }
        setUp(in: session)
    }
}
