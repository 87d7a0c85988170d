// SPDX-License-Identifier: MIT

import Foundation

/// Any target, so that one `MoyaProvider<MultiTarget>` sends the requests of several APIs.
public enum MultiTarget: TargetType {
    /// The embedded target.
    case target(any TargetType)

    /// Embeds `target`, which may be a `MultiTarget` itself.
    public init(_ target: any TargetType) {
        self = .target(target)
    }

    /// The embedded target.
    public var target: any TargetType {
        switch self {
        case .target(let target): target
        }
    }

    /// The embedded target's.
    public var baseURL: URL { target.baseURL }
    /// The embedded target's.
    public var path: String { target.path }
    /// The embedded target's.
    public var method: Moya.Method { target.method }
    /// The embedded target's.
    public var sampleData: Data { target.sampleData }
    /// The embedded target's.
    public var task: Task { target.task }
    /// The embedded target's.
    public var validationType: ValidationType { target.validationType }
    /// The embedded target's.
    public var headers: [String: String]? { target.headers }

    /// What is left of `target` when every `MultiTarget` around it is taken away.
    static func innermost(_ target: any TargetType) -> any TargetType {
        var target = target
        while let wrapper = target as? MultiTarget { target = wrapper.target }
        return target
    }
}

extension MultiTarget: AccessTokenAuthorizable {
    /// The embedded target's, or nil if it has none.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
}
