// SPDX-License-Identifier: MIT

#if canImport(Combine) || OpenCombine
import Foundation
import Moya

#if canImport(Combine)
import Combine
#else
@preconcurrency import OpenCombine
#endif

extension MoyaProvider {
    /// A publisher that sends the request of a target once for each subscription, at its first demand.
    ///
    /// It publishes the response and finishes, or fails. Cancelling a subscription before that cancels its request; nothing is published
    /// any more. The provider is held weakly: a demand after it is gone fails with the error of a cancelled request.
    /// - Parameter callbackQueue: where the values come; nil is the provider's queue or else the main queue.
    public func requestPublisher(_ target: Target, callbackQueue: DispatchQueue? = nil) -> AnyPublisher<Response, MoyaError> {
        let request = DeferredRequest(target, of: self, callbackQueue: callbackQueue)
        return AnyPublisher(
            RequestPublisher { subscription, relay in
                request.send(as: subscription) { result in
                    switch result {
                    case .success(let response):
                        relay.send(response)
                        relay.finish(.finished)
                    case .failure(let error): relay.finish(.failure(error))
                    }
                }
            })
    }

    /// A publisher that sends the request of a target once for each subscription, at its first demand, and tells how far it has come.
    ///
    /// Each value has the latest progress and, the last one only, the response; then it finishes, or it fails. Values beyond the demand are
    /// kept for it. Cancelling a subscription cancels its request. The provider is held weakly, as in
    /// ``requestPublisher(_:callbackQueue:)``.
    /// - Parameter callbackQueue: where the values come; nil is the provider's queue or else the main queue. A value that was kept comes on
    ///   the thread that demands it.
    public func requestWithProgressPublisher(
        _ target: Target, callbackQueue: DispatchQueue? = nil
    ) -> AnyPublisher<ProgressResponse, MoyaError> {
        let request = DeferredRequest(target, of: self, callbackQueue: callbackQueue)
        return AnyPublisher(
            RequestPublisher { subscription, relay in
                request.send(as: subscription, progress: { relay.send($0) }) { failure in
                    relay.finish(failure.map { .failure($0) } ?? .finished)
                }
            })
    }
}
#endif
