// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a call hears from its request closure and from its session.
protocol SessionCall: RequestObserver {
    /// The request closure answered.
    func requestArrived(_ result: Result<URLRequest, MoyaError>)
    /// The transfer made a step; on the engine's thread.
    func transferProgressed(_ progress: Progress)
}

/// The closure that forwards an answer. A function of its own, since a sendable closure must not capture the type of a target.
func requestResultClosure(of call: any SessionCall) -> @Sendable (Result<URLRequest, MoyaError>) -> Void {
    { call.requestArrived($0) }
}

/// One run of a provider: from the request closure's answer to everybody's completion. Keeps its provider alive.
final class ProviderCall<Target: TargetType>: SessionCall, @unchecked Sendable {  // constants, used in turn or locked
    let provider: MoyaProvider<Target>
    /// Until the request closure has answered.
    private var endpoint: Endpoint?
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

    /// A request closure that lets go of its answer without giving it must not leave the caller, or equal requests to come, without an end.
    deinit {
        guard let endpoint, pending.requestArrived() != .ignore else { return }
        let error = pending.isCancelled ? MoyaError.cancelledUnsent : .underlying(MoyaMisuse.requestClosureNeverAnswered, nil)
        ProviderCall(
            provider, endpoint: endpoint, stubBehavior: stubBehavior, callbackQueue: callbackQueue, recipient: recipient, group: group,
            pending: pending
        ).end(.failure(error), after: .nothing)
    }

    var target: Target { recipient.target }

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
        guard let endpoint = endpoint.take() else { return }
        var request = request
        provider.optionsSource.apply(of: target, to: &request)
        switch stubBehavior {
        case .never:
            if let group { provider.inflight?.withLock { $0.sendingBegan(group) } }
            send(request, by: endpoint.task)
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
                waiter.finish(result, after: transfer) {
                    let ended = inflight.withLock { $0.told(group) }
                    withExtendedLifetime(ended) {}
                }
            }
        }
    }

    /// Everybody who wants to know of progress now.
    var progressRecipients: [Recipient<Target>] {
        guard let group, let inflight = provider.inflight else { return [recipient] }
        return inflight.withLock { $0.waiters(in: group) }
    }
}
