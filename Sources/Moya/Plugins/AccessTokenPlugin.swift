// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A target that says how an ``AccessTokenPlugin`` authorizes its request.
public protocol AccessTokenAuthorizable {
    /// The authentication scheme of the request, or nil to send it without `Authorization`.
    var authorizationType: AuthorizationType? { get }
}

/// An authentication scheme with a token.
public enum AuthorizationType: Equatable, Sendable {
    /// `Basic` (RFC 7617). The token is sent as it is given, so it must be encoded already.
    case basic

    /// `Bearer` (RFC 6750).
    case bearer

    /// Another scheme, by its name.
    case custom(String)

    /// The name of the scheme.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let name): name
        }
    }
}

/// Sets `Authorization` on the requests of ``AccessTokenAuthorizable`` targets, in place of any such field they have.
public struct AccessTokenPlugin: PluginType {
    /// Gives the token for a target; called for every attempt to send a request that takes one, on any thread.
    public typealias TokenClosure = (any TargetType) -> String

    /// Gives the token; of a ``MultiTarget`` it gets the embedded target.
    public let tokenClosure: TokenClosure

    /// A plugin that asks `tokenClosure` for tokens.
    public init(tokenClosure: @escaping TokenClosure) {
        self.tokenClosure = tokenClosure
    }

    /// The request with `Authorization: <scheme> <token>`, or the request itself if the target asks for none.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        let target = MultiTarget.innermost(target)
        guard let authorizationType = (target as? any AccessTokenAuthorizable)?.authorizationType else { return request }
        var request = request
        request.setValue("\(authorizationType.value) \(tokenClosure(target))", forHTTPHeaderField: "Authorization")
        return request
    }
}
