// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the request closure answers to.
protocol RequestReceiving: Sendable {
    func requestArrived(_ result: Result<URLRequest, MoyaError>)
}

/// The closure that forwards an answer. A function of its own, since a sendable closure must not capture the type of a target.
func requestResultClosure(of receiver: any RequestReceiving) -> @Sendable (Result<URLRequest, MoyaError>) -> Void {
    { receiver.requestArrived($0) }
}

/// One run of a provider: from the request closure's answer to everybody's completion. Keeps its provider alive.
final class ProviderCall<Target: TargetType>: RequestReceiving, @unchecked Sendable {  // constants; what they refer to has its own lock or is used in turn
    let provider: MoyaProvider<Target>
    let endpoint: Endpoint
    let stubBehavior: StubBehavior
    let callbackQueue: DispatchQueue?
    /// Who made the call. In a group others may wait beside it, and it may have left.
    let recipient: Recipient<Target>
    let group: InflightRequests<Endpoint, Recipient<Target>>.GroupID?
    let pending: PendingRequest

    init(
        _ provider: MoyaProvider<Target>, endpoint: Endpoint, stubBehavior: StubBehavior, callbackQueue: DispatchQueue?,
        recipient: Recipient<Target>, group: InflightRequests<Endpoint, Recipient<Target>>.GroupID?, pending: PendingRequest
    ) {
        self.provider = provider
        self.endpoint = endpoint
        self.stubBehavior = stubBehavior
        self.callbackQueue = callbackQueue
        self.recipient = recipient
        self.group = group
        self.pending = pending
    }

    var target: Target { recipient.target }

    /// The request closure answered.
    func requestArrived(_ result: Result<URLRequest, MoyaError>) {
        switch pending.requestArrived() {
        case .ignore: break
        case .reportCancellation:
            recipient.delivery.perform { [self] in
                provider.cancelCompletion({ conclude($0, after: .nothing) }, target: target)
            }
        case .proceed:
            switch result {
            case .failure(let error): end(.failure(error), after: .nothing)
            case .success(let request): start(request)
            }
        }
    }

    private func start(_ request: URLRequest) {
        var request = request
        provider.optionsSource.apply(of: target, to: &request)
        if let group { provider.inflight?.withLock { $0.sendingBegan(group) } }
        switch stubBehavior {
        case .never: send(request)
        case .immediate, .delayed:
            pending.started(
                provider.stubRequest(
                    target, request: request, callbackQueue: callbackQueue, completion: { [self] in conclude($0, after: .stub) },
                    endpoint: endpoint, stubBehavior: stubBehavior))
        }
    }

    /// The outcome is known: tells the plugins, then everybody who waits, where the callbacks belong.
    func end(_ result: Result<Response, MoyaError>, after transfer: Recipient<Target>.Transfer) {
        recipient.delivery.perform { [self] in
            provider.pluginChain.didReceive(result, target: target)
            conclude(result, after: transfer)
        }
    }

    /// Tells everybody who waits. Called where the callbacks belong, after the plugins' `didReceive`.
    private func conclude(_ result: Result<Response, MoyaError>, after transfer: Recipient<Target>.Transfer) {
        guard pending.ended() else { return }
        guard let group, let inflight = provider.inflight else {
            return recipient.finish(result, after: transfer) {}
        }
        for waiter in inflight.withLock({ $0.outcomeArrived(group) }) {
            waiter.delivery.perform(from: recipient.delivery) {
                waiter.finish(result, after: transfer) { inflight.withLock { $0.told(group) } }
            }
        }
    }

    /// Everybody who wants to know of progress now.
    var progressRecipients: [Recipient<Target>] {
        guard let group, let inflight = provider.inflight else { return [recipient] }
        return inflight.withLock { $0.waiters(in: group) }
    }
}
