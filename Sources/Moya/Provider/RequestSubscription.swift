// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// One request of one subscription: what the reactive modules share.
///
///     waiting ── sent ──▶ under way ── first completion ──▶ over: everything later is dropped, cancelling included
///        └──── cancelled ─────┴── cancelled ─────────────▶ over: the request is cancelled, once
package final class RequestSubscription: Sendable {
    private struct State {
        var request: Carried<any Cancellable>?
        var isCancelled = false
        var isOver = false
    }

    private let state = Locked(State())

    package init() {}

    /// Whether it has completed or was cancelled.
    package var isOver: Bool { state.withLock { $0.isOver } }

    /// Cancels the request, also one whose token has not been returned yet; does nothing after the completion.
    package func cancel() {
        let request = state.withLock { state -> Carried<any Cancellable>? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.isCancelled = true
            let request = state.request
            state.request = nil
            return request
        }
        request?.value.cancel()
    }

    fileprivate func connect(to request: any Cancellable) {
        let isCancelled = state.withLock { state in
            if !state.isOver { state.request = Carried(request) }
            return state.isCancelled
        }
        if isCancelled { request.cancel() }
    }

    /// Whether the completion that has arrived is the first, and wanted.
    fileprivate func completes() -> Bool {
        let (isFirst, request) = state.withLock { state in
            guard !state.isOver else { return (false, Carried<any Cancellable>?.none) }
            state.isOver = true
            return (true, state.request.take())
        }
        // What an override made may call back when it is let go of: not under the lock.
        withExtendedLifetime(request) {}
        return isFirst
    }
}

/// A request that is sent once for each subscription, by a provider that is held weakly.
///
/// Providers and targets are not `Sendable`; see ``PluginType`` for what that asks of callers.
package struct DeferredRequest: @unchecked Sendable {  // constant; each request uses the target by itself
    private let make: (Moya.ProgressBlock?, @escaping Moya.Completion) -> (any Cancellable)?

    package init<Provider: MoyaProviderType>(_ target: Provider.Target, of provider: Provider, callbackQueue: DispatchQueue?) {
        make = { [weak provider] progress, completion in
            provider?.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        }
    }

    /// Sends the request.
    /// - Parameter completion: called once, unless `subscription` is cancelled before.
    /// - Returns: false, and calls nothing, if the provider is gone.
    package func send(
        as subscription: RequestSubscription, completion: @escaping (Result<Moya.Response, MoyaError>) -> Void
    ) -> Bool {
        send(as: subscription, reporting: nil, completion)
    }

    /// Sends the request, and reports each step with what was reported before; a success ends with a report that has the response.
    /// - Parameters:
    ///   - progress: called before `completion`, in order, never after a cancelling.
    ///   - completion: called once, unless `subscription` is cancelled before; nil is success.
    /// - Returns: false, and calls nothing, if the provider is gone.
    package func send(
        as subscription: RequestSubscription, progress: @escaping (ProgressResponse) -> Void, completion: @escaping (MoyaError?) -> Void
    ) -> Bool {
        let latest = Locked(ProgressResponse())
        let report = { (step: ProgressResponse) in
            guard !subscription.isOver else { return }
            let accumulated = latest.withLock { latest in
                latest = ProgressResponse(
                    progress: step.progressObject ?? latest.progressObject, response: step.response ?? latest.response)
                return latest
            }
            progress(accumulated)
        }
        return send(as: subscription, reporting: report) { result in
            switch result {
            case .success(let response):
                let last = latest.withLock { $0 }
                if last.response == nil { progress(ProgressResponse(progress: last.progressObject, response: response)) }
                completion(nil)
            case .failure(let error): completion(error)
            }
        }
    }

    private func send(
        as subscription: RequestSubscription, reporting progress: Moya.ProgressBlock?,
        _ completion: @escaping (Result<Moya.Response, MoyaError>) -> Void
    ) -> Bool {
        let request = make(progress) { result in
            if subscription.completes() { completion(result) }
        }
        guard let request else { return false }
        subscription.connect(to: request)
        return true
    }
}
