// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

extension MoyaProvider {
    /// The request of a target as a sequence: each step of its transfer, and last its response.
    ///
    /// Nothing is sent before the first element is asked for; each iteration makes a request of its own. Leaving the loop, or cancelling
    /// the Swift task, cancels the request. A consumer that is slower than the transfer misses steps, never the response: no more than 100
    /// wait for it. A stub has no steps.
    public func requestWithProgress(_ target: Target) -> ProgressResponses<Target> {
        ProgressResponses(provider: self, target: target)
    }
}

/// The progress of a request, and its response as the last element; see ``MoyaProvider/requestWithProgress(_:)``.
public struct ProgressResponses<Target: TargetType>: AsyncSequence {
    /// A step, or the response.
    public typealias Element = ProgressResponse
    /// What the request fails with.
    public typealias Failure = MoyaError

    fileprivate let provider: MoyaProvider<Target>
    fileprivate let target: Target

    /// Makes a request when it is first asked for an element.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Iterates over one request.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case notStarted(ProgressResponses)
            case running(ProgressRun)
            case ended
        }

        private var state: State

        fileprivate init(_ responses: ProgressResponses) {
            state = .notStarted(responses)
        }

        /// The next step or, last, the response; nil after it.
        /// - Throws: the request's failure, once; when cancelled, ``MoyaError/underlying(_:_:)`` around `AFError.explicitlyCancelled`.
        public mutating func next() async throws(MoyaError) -> ProgressResponse? {
            try await next(isolation: #isolation)
        }

        /// The same as ``next()``, on the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(MoyaError) -> ProgressResponse? {
            let run: ProgressRun
            switch state {
            case .ended: return nil
            case .running(let running): run = running
            case .notStarted(let responses):
                guard !_Concurrency.Task.isCancelled else {
                    state = .ended
                    throw .cancelledInFlight
                }
                run = ProgressRun()
                run.start(responses.provider, responses.target)
                state = .running(run)
            }
            switch await run.next() {
            case .success(let element?):
                if element.completed { state = .ended }
                return element
            case .success(nil):
                state = .ended
                return nil
            case .failure(let error):
                state = .ended
                throw error
            }
        }
    }
}

@available(*, unavailable)
extension ProgressResponses.AsyncIterator: Sendable {}
