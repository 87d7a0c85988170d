// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An adapter made of a closure; it never retries.
open class Adapter: RequestInterceptor, @unchecked Sendable {  // its one property never changes
    private let adaptHandler: AdaptHandler

    /// An adapter that calls `adaptHandler`, which must call its completion once.
    public init(_ adaptHandler: @escaping AdaptHandler) {
        self.adaptHandler = adaptHandler
    }

    /// Calls the closure.
    open func adapt(
        _ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adaptHandler(urlRequest, session, completion)
    }
}

/// A retrier made of a closure; it adapts nothing.
open class Retrier: RequestInterceptor, @unchecked Sendable {  // its one property never changes
    private let retryHandler: RetryHandler

    /// A retrier that calls `retryHandler`, which must call its completion once.
    public init(_ retryHandler: @escaping RetryHandler) {
        self.retryHandler = retryHandler
    }

    /// Calls the closure.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        retryHandler(request, session, error, completion)
    }
}

/// Many adapters and retriers as one.
///
/// Adapters run in order, each on what the one before it made; the first failure ends the row. Retriers are asked in order until one
/// answers something else than ``RetryResult/doNotRetry``.
open class Interceptor: RequestInterceptor, @unchecked Sendable {  // its properties never change
    /// The adapters, interceptors included, in the order in which they run.
    public let adapters: [any RequestAdapter]
    /// The retriers, interceptors included, in the order in which they are asked.
    public let retriers: [any RequestRetrier]

    /// Adapters and retriers; each interceptor stands behind them in both rows.
    public init(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [], interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    /// One adapter and one retrier.
    public convenience init(adapter: any RequestAdapter, retrier: any RequestRetrier) {
        self.init(adapters: [adapter], retriers: [retrier])
    }

    /// An adapter and a retrier made of closures.
    public convenience init(adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler) {
        self.init(adapters: [Adapter(adaptHandler)], retriers: [Retrier(retryHandler)])
    }

    /// Runs the adapters.
    open func adapt(
        _ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        Self.adapt(urlRequest, through: adapters[...], completion: completion) { adapter, request, completion in
            adapter.adapt(request, for: session, completion: completion)
        }
    }

    /// Runs the adapters.
    open func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        Self.adapt(urlRequest, through: adapters[...], completion: completion) { adapter, request, completion in
            adapter.adapt(request, using: state, completion: completion)
        }
    }

    /// Asks the retriers.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        Self.ask(retriers[...], about: request, for: session, dueTo: error, completion: completion)
    }

    private typealias Step = @Sendable (any RequestAdapter, URLRequest, @escaping @Sendable (Result<URLRequest, any Error>) -> Void) -> Void

    private static func adapt(
        _ urlRequest: URLRequest, through adapters: ArraySlice<any RequestAdapter>,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void, step: @escaping Step
    ) {
        guard let adapter = adapters.first else { return completion(.success(urlRequest)) }
        step(adapter, urlRequest) { result in
            switch result {
            case .success(let adapted): adapt(adapted, through: adapters.dropFirst(), completion: completion, step: step)
            case .failure: completion(result)
            }
        }
    }

    private static func ask(
        _ retriers: ArraySlice<any RequestRetrier>, about request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let retrier = retriers.first else { return completion(.doNotRetry) }
        retrier.retry(request, for: session, dueTo: error) { result in
            guard result.isDoNotRetry else { return completion(result) }
            ask(retriers.dropFirst(), about: request, for: session, dueTo: error, completion: completion)
        }
    }
}
