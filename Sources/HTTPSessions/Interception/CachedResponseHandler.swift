// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides about storing a response in the configuration's `urlCache`, in sessions that store responses.
///
/// This package's do not: nothing is stored in or answered from a cache, so that a handler is kept and never called. Of a request's cache
/// policy, and of its configuration's, there remains what can be said without a cache: `reloadIgnoringLocalAndRemoteCacheData` and
/// `reloadRevalidatingCacheData` tell the caches on the way with `Cache-Control` (RFC 9111, 5.2.1), and `returnCacheDataDontLoad` fails
/// with `URLError.resourceUnavailable`.
public protocol CachedResponseHandler: Sendable {
    /// Hands what is to be stored to `completion`, or `nil` to store nothing.
    func dataTask(
        _ task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
        completion: @escaping @Sendable (CachedURLResponse?) -> Void)
}

/// A handler for the common cases.
public struct ResponseCacher: CachedResponseHandler {
    /// What becomes of a response.
    public enum Behavior: Sendable {
        /// It is stored.
        case cache
        /// It is not stored.
        case doNotCache
        /// What the closure returns is stored; `nil` stores nothing.
        case modify(@Sendable (_ task: URLSessionDataTask, _ response: CachedURLResponse) -> CachedURLResponse?)
    }

    /// Stores each response.
    public static let cache = ResponseCacher(behavior: .cache)
    /// Stores none.
    public static let doNotCache = ResponseCacher(behavior: .doNotCache)

    /// What becomes of a response.
    public let behavior: Behavior

    /// A handler of this behavior.
    public init(behavior: Behavior) { self.behavior = behavior }

    /// Answers at once.
    public func dataTask(
        _ task: URLSessionDataTask, willCacheResponse response: CachedURLResponse,
        completion: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        switch behavior {
        case .cache: completion(response)
        case .doNotCache: completion(nil)
        case .modify(let closure): completion(closure(task, response))
        }
    }
}
