// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Retries requests that can be repeated and failed in a way that may pass, after delays that grow with each retry.
///
/// The nth retry comes `base^(n-1) * scale` seconds after the failure: with the defaults 0.5 s and 1 s, then the request fails. ``jitter``
/// spreads these delays, and `Retry-After` in a response that is retried lengthens them.
open class RetryPolicy: RequestInterceptor, @unchecked Sendable {  // its properties never change
    /// 2 retries after the first attempt.
    public static let defaultRetryLimit: UInt = 2
    /// 2: each delay is twice the one before.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// Half a second before the first retry.
    public static let defaultExponentialBackoffScale: Double = 0.5
    /// The idempotent methods (RFC 9110 section 9.2.2): DELETE, GET, HEAD, OPTIONS, PUT, TRACE.
    public static let defaultRetryableHTTPMethods: Set<HTTPMethod> = [.delete, .get, .head, .options, .put, .trace]
    /// 408, 500, 502, 503, 504: the server timed out, broke, or is overloaded or unreachable behind a gateway.
    public static let defaultRetryableHTTPStatusCodes: Set<Int> = [408, 500, 502, 503, 504]
    /// Failures of the connection and of the network, not those that would repeat (a bad URL, a certificate for another host).
    public static let defaultRetryableURLErrorCodes: Set<URLError.Code> = [
        .backgroundSessionInUseByAnotherProcess, .backgroundSessionWasDisconnected, .badServerResponse, .callIsActive, .cannotConnectToHost,
        .cannotFindHost, .cannotLoadFromNetwork, .dataNotAllowed, .dnsLookupFailed, .downloadDecodingFailedMidStream,
        .downloadDecodingFailedToComplete, .internationalRoamingOff, .networkConnectionLost, .notConnectedToInternet,
        .secureConnectionFailed,
        .serverCertificateHasBadDate, .serverCertificateNotYetValid, .timedOut,
    ]
    /// A minute.
    public static let defaultMaximumRetryAfter: TimeInterval = 60

    /// No delay is longer than an hour, however often a request is retried.
    private static let maximumDelay: TimeInterval = 3600

    /// How many times a request is sent again at most.
    public let retryLimit: UInt
    /// The factor from one delay to the next; at least 2.
    public let exponentialBackoffBase: UInt
    /// The first delay in seconds.
    public let exponentialBackoffScale: Double
    /// Methods whose requests are retried.
    public let retryableHTTPMethods: Set<HTTPMethod>
    /// Status codes that are retried. The response must have been made an error, by `validate()` for one.
    public let retryableHTTPStatusCodes: Set<Int>
    /// Codes of transfer failures that are retried.
    public let retryableURLErrorCodes: Set<URLError.Code>
    /// How the delays are spread. Default: not at all.
    public let jitter: RetryJitter
    /// The longest `Retry-After`, in seconds, that is waited for. A request that is asked to wait longer fails at once.
    public let maximumRetryAfter: TimeInterval

    private let now: @Sendable () -> Date

    /// A policy with these options.
    ///
    /// An `exponentialBackoffBase` below 2 counts as 2. A `Retry-After` that is a date is compared with what `now` returns.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit, exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes, jitter: RetryJitter = .none,
        maximumRetryAfter: TimeInterval = RetryPolicy.defaultMaximumRetryAfter, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.retryLimit = retryLimit
        self.exponentialBackoffBase = Swift.max(2, exponentialBackoffBase)
        self.exponentialBackoffScale = exponentialBackoffScale
        self.retryableHTTPMethods = retryableHTTPMethods
        self.retryableHTTPStatusCodes = retryableHTTPStatusCodes
        self.retryableURLErrorCodes = retryableURLErrorCodes
        self.jitter = jitter
        self.maximumRetryAfter = maximumRetryAfter
        self.now = now
    }

    /// Asks ``shouldRetry(request:dueTo:)`` while retries are left, and answers at once.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard request.retryCount < retryLimit, shouldRetry(request: request, dueTo: error) else { return completion(.doNotRetry) }
        completion(decision(retryCount: request.retryCount, retryAfter: request.response?.value(forHTTPHeaderField: "Retry-After")))
    }

    /// Whether the method allows a retry and the status code or the transfer's error calls for one.
    open func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
        shouldRetry(method: request.request?.method, statusCode: request.response?.statusCode, error: error)
    }

    func shouldRetry(method: HTTPMethod?, statusCode: Int?, error: any Error) -> Bool {
        guard let method, retryableHTTPMethods.contains(method) else { return false }
        if let statusCode, retryableHTTPStatusCodes.contains(statusCode) { return true }
        let urlError = error as? URLError ?? error.asAFError?.underlyingError as? URLError
        return urlError.map { retryableURLErrorCodes.contains($0.code) } ?? false
    }

    func decision(retryCount: Int, retryAfter: String?) -> RetryResult {
        let backoff = pow(Double(exponentialBackoffBase), Double(retryCount)) * exponentialBackoffScale
        let delay = jitter.spread(Swift.min(Swift.max(0, backoff), Self.maximumDelay))
        guard let retryAfter, let asked = RetryAfter.delay(retryAfter, now: now()) else { return .retryWithDelay(delay) }
        // Coming back earlier than asked would only be refused again.
        return asked > maximumRetryAfter ? .doNotRetry : .retryWithDelay(Swift.max(delay, asked))
    }
}

/// Retries requests whose connection was lost, and nothing else.
open class ConnectionLostRetryPolicy: RetryPolicy, @unchecked Sendable {  // its properties never change
    /// A policy with these options; the rest as in ``RetryPolicy``.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit, exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods, jitter: RetryJitter = .none
    ) {
        super.init(
            retryLimit: retryLimit, exponentialBackoffBase: exponentialBackoffBase, exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods, retryableHTTPStatusCodes: [], retryableURLErrorCodes: [.networkConnectionLost],
            jitter: jitter)
    }
}

extension RequestInterceptor where Self == RetryPolicy {
    /// A ``RetryPolicy`` with its defaults.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }
}

extension RequestInterceptor where Self == ConnectionLostRetryPolicy {
    /// A ``ConnectionLostRetryPolicy`` with its defaults.
    public static var connectionLostRetryPolicy: ConnectionLostRetryPolicy { ConnectionLostRetryPolicy() }
}
