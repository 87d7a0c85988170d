// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A target that has a time-out or a cache policy of its own.
///
/// The values are set on the request that the provider's request closure hands over, whatever that closure set, and before plugins see it.
/// For a ``MultiTarget`` the embedded target is asked.
public protocol RequestOptionsProviding {
    /// The longest time, in seconds, without any progress; `nil`, the default, leaves it to the request and the session.
    var timeoutInterval: TimeInterval? { get }

    /// What caches may answer; `nil`, the default, leaves it to the request and the session.
    ///
    /// Sessions have no cache of their own. `reloadIgnoringLocalAndRemoteCacheData` and `reloadRevalidatingCacheData` tell the caches on
    /// the way (`Cache-Control`), `returnCacheDataDontLoad` fails the request, and the other policies change nothing.
    var cachePolicy: URLRequest.CachePolicy? { get }
}

extension RequestOptionsProviding {
    /// Leaves the time-out to the request and the session.
    public var timeoutInterval: TimeInterval? { nil }

    /// Leaves the cache policy to the request and the session.
    public var cachePolicy: URLRequest.CachePolicy? { nil }
}

/// Whether targets of a type can have options of their own: asked once a provider, since a dynamic cast costs more than what it is for.
enum RequestOptionsSource: Sendable {
    case none
    case eachTarget

    init<Target: TargetType>(_ type: Target.Type) {
        let mayHaveOptions = type is any RequestOptionsProviding.Type || type is MultiTarget.Type || type is AnyClass
        self = mayHaveOptions ? .eachTarget : .none
    }

    /// Sets the options of `target` on `request`.
    func apply<Target: TargetType>(of target: Target, to request: inout URLRequest) {
        guard case .eachTarget = self, let options = MultiTarget.innermost(target) as? any RequestOptionsProviding else { return }
        if let timeoutInterval = options.timeoutInterval { request.timeoutInterval = timeoutInterval }
        if let cachePolicy = options.cachePolicy { request.cachePolicy = cachePolicy }
    }
}
