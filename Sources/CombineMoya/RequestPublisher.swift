// SPDX-License-Identifier: MIT

#if canImport(Combine) || OpenCombine
import Foundation
import HTTPMessages
import Moya

#if canImport(Combine)
import Combine
#else
@preconcurrency import OpenCombine
#endif

/// Hands a subscription over to each subscriber; the request is sent with the first demand.
struct RequestPublisher<Output>: Publisher {
    typealias Failure = MoyaError
    typealias Send = (RequestSubscription, DemandRelay<Output>) -> Bool

    private let send: Send

    /// - Parameter send: sends the request; returns false if the provider is gone.
    init(send: @escaping Send) {
        self.send = send
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == MoyaError {
        subscriber.receive(subscription: DemandRelay(AnySubscriber(subscriber), send))
    }
}

/// Keeps values until they are demanded, and passes them on one at a time, without a lock while it does.
///
///     idle ── first demand ──▶ sent ── finish, after the last value ──▶ over
///       └───────── cancel ──────┴──────── cancel ──────────────────────▶ over
final class DemandRelay<Output>: Subscription, @unchecked Sendable {  // the state has its lock
    private struct State {
        var subscriber: AnySubscriber<Output, MoyaError>?
        var send: RequestPublisher<Output>.Send?
        var demand = Subscribers.Demand.none
        var kept: [Output] = []
        var completion: Subscribers.Completion<MoyaError>?
        var isPassingOn = false
    }

    private enum Step {
        case value(Output, AnySubscriber<Output, MoyaError>)
        case completion(Subscribers.Completion<MoyaError>, AnySubscriber<Output, MoyaError>)
    }

    private let state: Locked<State>
    private let request = RequestSubscription()

    init(_ subscriber: AnySubscriber<Output, MoyaError>, _ send: @escaping RequestPublisher<Output>.Send) {
        state = Locked(State(subscriber: subscriber, send: send))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let send = state.withLock { state in
            state.demand += demand
            let send = state.send
            state.send = nil
            return send
        }
        if let send, !send(request, self) { finish(.failure(.cancelledUnsent)) }
        passOn()
    }

    func cancel() {
        let released = state.withLock { state in
            let released = state
            state = State()
            return released
        }
        request.cancel()
        withExtendedLifetime(released) {}
    }

    func send(_ value: Output) {
        state.withLock { state in
            if state.subscriber != nil { state.kept.append(value) }
        }
        passOn()
    }

    func finish(_ completion: Subscribers.Completion<MoyaError>) {
        state.withLock { state in
            if state.subscriber != nil { state.completion = completion }
        }
        passOn()
    }

    /// Passes on what the demand allows; a call from inside, or from another thread meanwhile, leaves it to the one that does so already.
    private func passOn() {
        let isFree = state.withLock { state in
            guard !state.isPassingOn else { return false }
            state.isPassingOn = true
            return true
        }
        guard isFree else { return }
        while let step = nextStep() {
            switch step {
            case .value(let value, let subscriber):
                let more = subscriber.receive(value)
                state.withLock { $0.demand += more }
            case .completion(let completion, let subscriber): subscriber.receive(completion: completion)
            }
        }
    }

    private func nextStep() -> Step? {
        state.withLock { state in
            if let subscriber = state.subscriber {
                if state.demand > .none, !state.kept.isEmpty {
                    state.demand -= 1
                    return .value(state.kept.removeFirst(), subscriber)
                }
                if state.kept.isEmpty, let completion = state.completion {
                    state = State(isPassingOn: true)
                    return .completion(completion, subscriber)
                }
            }
            state.isPassingOn = false
            return nil
        }
    }
}
#endif
