// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MoyaProvider {
    /// Does what ``request(_:callbackQueue:progress:completion:)`` says, whatever a subclass makes of that.
    public func requestNormal(
        _ target: Target, callbackQueue: DispatchQueue?, progress: Moya.ProgressBlock?, completion: @escaping Moya.Completion
    ) -> any Cancellable {
        let endpoint = endpoint(target)
        let stubBehavior = stubClosure(target)
        let callbackQueue = callbackQueue ?? self.callbackQueue
        // A task that is kept from running, as by a busy actor, must not keep the outcome from others who wait for the same request.
        let awaited = inflight == nil ? AwaitedRequest.current : nil
        let recipient = Recipient(
            target: target, delivery: Delivery(on: callbackQueue, for: stubBehavior, keepsOrder: progress != nil, awaited: awaited),
            plugins: pluginChain, progress: progress, completion: completion)
        let pending = PendingRequest()
        guard let inflight else {
            let call = ProviderCall(
                self, endpoint: endpoint, stubBehavior: stubBehavior, callbackQueue: callbackQueue, recipient: recipient, group: nil,
                pending: pending)
            requestClosure(endpoint, requestResultClosure(of: call))
            return pending
        }

        // Encoders of the caller's make the identity; they must not run under the lock.
        _ = endpoint.identity
        let ticket = inflight.withLock { $0.join(recipient, for: endpoint, transfer: pending) }
        if ticket.isFirst {
            let call = ProviderCall(
                self, endpoint: endpoint, stubBehavior: stubBehavior, callbackQueue: callbackQueue, recipient: recipient,
                group: ticket.group, pending: pending)
            requestClosure(endpoint, requestResultClosure(of: call))
        }
        return SharedRequest(ticket, in: inflight)
    }

    /// Tells plugins and `completion` that a request was cancelled before it was sent.
    public func cancelCompletion(_ completion: Moya.Completion, target: Target) {
        let result = Result<Moya.Response, MoyaError>.failure(.cancelledUnsent)
        pluginChain.didReceive(result, target: target)
        completion(result)
    }
}
