// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an adapter may want to know of the request that it adapts.
public struct RequestAdapterState: Sendable {
    /// ``Request/id`` of the request.
    public let requestID: UUID
    /// The session that sends it.
    public let session: Session

    /// A state of these parts.
    public init(requestID: UUID, session: Session) {
        self.requestID = requestID
        self.session = session
    }
}

/// Changes requests before each attempt to send them, for example to sign them.
public protocol RequestAdapter: Sendable {
    /// Hands the request to send to `completion`, or an error with which the request then fails (`AFError.requestAdaptationFailed`).
    ///
    /// `completion` must be called once, now or later, from any thread; later calls are ignored. Until then the request waits; cancelling
    /// it does not wait.
    func adapt(_ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)

    /// The same with more to go by; the default calls ``adapt(_:for:completion:)``.
    func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)
}

extension RequestAdapter {
    /// Calls ``adapt(_:for:completion:)`` with the state's session.
    public func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: state.session, completion: completion)
    }
}

/// What becomes of a request that failed.
public enum RetryResult: Sendable {
    /// It is sent again at once.
    case retry
    /// It is sent again after this many seconds.
    case retryWithDelay(TimeInterval)
    /// It fails with the error it has.
    case doNotRetry
    /// It fails with `AFError.requestRetryFailed`, around both errors.
    case doNotRetryWithError(any Error)
}

extension RetryResult {
    var isDoNotRetry: Bool {
        if case .doNotRetry = self { true } else { false }
    }
}

/// Decides whether a request that failed is sent again.
public protocol RequestRetrier: Sendable {
    /// Hands the decision to `completion`, once, now or later, from any thread; later calls are ignored.
    ///
    /// Asked for every failure of an attempt but cancellation: of its setup, its transfer, its validation and its serializers.
    func retry(_ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void)
}

/// Both an adapter and a retrier; each has a default that changes nothing.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
    /// Hands the request on unchanged.
    public func adapt(
        _ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }

    /// Answers ``RetryResult/doNotRetry``.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
    }
}

/// What an ``Adapter`` calls.
public typealias AdaptHandler =
    @Sendable (
        _ request: URLRequest, _ session: Session, _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) -> Void

/// What a ``Retrier`` calls.
public typealias RetryHandler =
    @Sendable (
        _ request: Request, _ session: Session, _ error: any Error, _ completion: @escaping @Sendable (RetryResult) -> Void
    ) -> Void
