// SPDX-License-Identifier: MIT

import Foundation
import Moya

#if ReactiveSwift
@preconcurrency import ReactiveSwift
#else
import ReactiveSignals
#endif

extension MoyaProvider: ReactiveExtensionsProvider {}

extension Reactive where Base: MoyaProviderType {
    /// A producer that sends the request of a target at each start.
    ///
    /// A start sends the response and completes, or fails. Disposing of a start before that cancels its request, and the start is
    /// interrupted. The provider is held weakly: a start after it is gone is interrupted at once.
    /// - Parameter callbackQueue: where the events come; nil is the provider's queue or else the main queue. An interruption comes on the
    ///   thread that disposes.
    public func request(_ token: Base.Target, callbackQueue: DispatchQueue? = nil) -> SignalProducer<Response, MoyaError> {
        let request = DeferredRequest(token, of: base, callbackQueue: callbackQueue)
        return SignalProducer { observer, lifetime in
            let subscription = RequestSubscription()
            lifetime.observeEnded { subscription.cancel() }
            let isSent = request.send(as: subscription) { result in
                switch result {
                case .success(let response):
                    observer.send(value: response)
                    observer.sendCompleted()
                case .failure(let error): observer.send(error: error)
                }
            }
            if !isSent { observer.sendInterrupted() }
        }
    }

    /// A producer that sends the request of a target at each start and tells how far it has come.
    ///
    /// Each value has the latest progress and, the last one only, the response. A start completes after that, or fails. Disposing of it
    /// before cancels its request. The provider is held weakly: a start after it is gone is interrupted at once.
    /// - Parameter callbackQueue: where the events come; nil is the provider's queue or else the main queue.
    public func requestWithProgress(
        _ token: Base.Target, callbackQueue: DispatchQueue? = nil
    ) -> SignalProducer<ProgressResponse, MoyaError> {
        let request = DeferredRequest(token, of: base, callbackQueue: callbackQueue)
        return SignalProducer { observer, lifetime in
            let subscription = RequestSubscription()
            lifetime.observeEnded { subscription.cancel() }
            let isSent = request.send(as: subscription, progress: { observer.send(value: $0) }) { failure in
                if let failure {
                    observer.send(error: failure)
                } else {
                    observer.sendCompleted()
                }
            }
            if !isSent { observer.sendInterrupted() }
        }
    }
}
