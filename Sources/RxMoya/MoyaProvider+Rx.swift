// SPDX-License-Identifier: MIT

#if RxSwift
import Foundation
import Moya
@preconcurrency import RxSwift

extension MoyaProvider: ReactiveCompatible {}

extension Reactive where Base: MoyaProviderType {
    /// A single that sends the request of a target at each subscription.
    ///
    /// It succeeds with the response or fails with a `MoyaError`. Disposing of a subscription before that cancels its request. The provider
    /// is held weakly: a subscription after it is gone fails with the error of a cancelled request.
    /// - Parameter callbackQueue: where the events come; nil is the provider's queue or else the main queue.
    public func request(_ token: Base.Target, callbackQueue: DispatchQueue? = nil) -> Single<Response> {
        let request = DeferredRequest(token, of: base, callbackQueue: callbackQueue)
        return Single.create { observer in
            let subscription = RequestSubscription()
            let isSent = request.send(as: subscription) { result in
                switch result {
                case .success(let response): observer(.success(response))
                case .failure(let error): observer(.failure(error))
                }
            }
            if !isSent { observer(.failure(MoyaError.cancelledUnsent)) }
            return Disposables.create { subscription.cancel() }
        }
    }

    /// An observable that sends the request of a target at each subscription and tells how far it has come.
    ///
    /// Each element has the latest progress and, the last one only, the response; completion follows. A failure is a `MoyaError`. Disposing
    /// of a subscription before the end cancels its request. The provider is held weakly, as in ``request(_:callbackQueue:)``.
    /// - Parameter callbackQueue: where the events come; nil is the provider's queue or else the main queue.
    public func requestWithProgress(_ token: Base.Target, callbackQueue: DispatchQueue? = nil) -> Observable<ProgressResponse> {
        let request = DeferredRequest(token, of: base, callbackQueue: callbackQueue)
        return Observable.create { observer in
            let subscription = RequestSubscription()
            let isSent = request.send(as: subscription, progress: { observer.onNext($0) }) { failure in
                if let failure {
                    observer.onError(failure)
                } else {
                    observer.onCompleted()
                }
            }
            if !isSent { observer.onError(MoyaError.cancelledUnsent) }
            return Disposables.create { subscription.cancel() }
        }
    }
}
#endif
