// SPDX-License-Identifier: MIT

import Moya

#if ReactiveSwift
@preconcurrency import ReactiveSwift
#else
import ReactiveSignals
#endif

extension SignalProducerProtocol where Value == ProgressResponse, Error == MoyaError {
    /// Sends the response, once it is there.
    public func filterCompleted() -> SignalProducer<Response, MoyaError> {
        producer.compactMap { $0.response }
    }

    /// Sends how much is done, from 0 to 1, until the response is there.
    public func filterProgress() -> SignalProducer<Double, MoyaError> {
        producer.filter { !$0.completed }.map { $0.progress }
    }
}

extension SignalProtocol where Value == ProgressResponse, Error == MoyaError {
    /// Sends the response, once it is there.
    public func filterCompleted() -> Signal<Response, MoyaError> {
        signal.compactMap { $0.response }
    }

    /// Sends how much is done, from 0 to 1, until the response is there.
    public func filterProgress() -> Signal<Double, MoyaError> {
        signal.filter { !$0.completed }.map { $0.progress }
    }
}
