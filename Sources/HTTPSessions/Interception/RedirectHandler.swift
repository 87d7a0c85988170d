// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides about each redirect of a request.
public protocol RedirectHandler: Sendable {
    /// Hands the request to follow the redirect with to `completion`, or `nil` to deliver the redirecting response as it is.
    ///
    /// `request` is what would be sent by default, without the credentials that must not cross to another origin (RFC 9110, 15.4).
    /// Called on the engine's thread: do not block; call `completion` once, now or later, from any thread.
    func task(
        _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void)
}

/// A redirect handler for the common cases.
public struct Redirector: RedirectHandler {
    /// What becomes of a redirect.
    public enum Behavior: Sendable {
        /// It is followed as proposed.
        case follow
        /// The redirecting response is delivered.
        case doNotFollow
        /// What the closure returns is sent; `nil` delivers the redirecting response.
        case modify(@Sendable (_ task: URLSessionTask, _ request: URLRequest, _ response: HTTPURLResponse) -> URLRequest?)
    }

    /// Follows each redirect.
    public static let follow = Redirector(behavior: .follow)
    /// Follows none.
    public static let doNotFollow = Redirector(behavior: .doNotFollow)

    /// What becomes of a redirect.
    public let behavior: Behavior

    /// A handler of this behavior.
    public init(behavior: Behavior) { self.behavior = behavior }

    /// Answers at once.
    public func task(
        _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
        switch behavior {
        case .follow: completion(request)
        case .doNotFollow: completion(nil)
        case .modify(let closure): completion(closure(task, request, response))
        }
    }
}

extension RedirectHandler where Self == Redirector {
    /// Follows each redirect.
    public static var follow: Redirector { .follow }
    /// Follows none.
    public static var doNotFollow: Redirector { .doNotFollow }
    /// Follows with what `closure` returns.
    public static func modify(
        using closure: @escaping @Sendable (URLSessionTask, URLRequest, HTTPURLResponse) -> URLRequest?
    ) -> Redirector { Redirector(behavior: .modify(closure)) }
}
