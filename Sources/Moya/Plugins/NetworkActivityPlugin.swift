// SPDX-License-Identifier: MIT

import Foundation

/// What happened to a request, as an activity indicator sees it.
public enum NetworkActivityChangeType: Sendable {
    /// An attempt to send it begins.
    case began

    /// It has ended.
    case ended
}

/// Tells when requests begin and end.
///
/// A request that is retried begins several times and ends once; one that is cancelled before it is sent ends without having begun. Who
/// counts must not go below zero, and should not expect the counts to meet.
public final class NetworkActivityPlugin: PluginType {
    /// Gets each change, from the threads that ``PluginType`` names.
    public typealias NetworkActivityClosure = (_ change: NetworkActivityChangeType, _ target: any TargetType) -> Void

    private let networkActivityClosure: NetworkActivityClosure

    /// A plugin that calls `networkActivityClosure` for each change.
    public init(networkActivityClosure: @escaping NetworkActivityClosure) {
        self.networkActivityClosure = networkActivityClosure
    }

    /// Reports that an attempt begins.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        networkActivityClosure(.began, target)
    }

    /// Reports that the request has ended.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        networkActivityClosure(.ended, target)
    }
}
