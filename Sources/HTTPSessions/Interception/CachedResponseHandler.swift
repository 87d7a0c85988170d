// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides about storing a response in the configuration's `urlCache`.
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
