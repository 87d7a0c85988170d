// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A plugin that may take its time: to fetch a token before a request is sent, or to look something up before a result is delivered.
///
/// Providers await ``preparing(_:target:)`` and ``processing(_:target:)`` in place of `prepare` and `process`, in the order of the
/// provider's array among all plugins; the defaults call those. They run in a Swift task of their own, on no particular thread. A provider
/// with an asynchronous plugin answers no stub before `request` returns.
public protocol AsyncPluginType: PluginType {
    /// Changes a request before it is sent. Cancelling the request cancels the Swift task that runs this method.
    /// - Throws: anything; the request then fails with `AFError.requestAdaptationFailed` around it, and nothing is sent.
    func preparing(_ request: URLRequest, target: any TargetType) async throws -> URLRequest

    /// Changes a result before it is delivered. The request has ended by then, so that cancelling it has no effect on this method.
    func processing(
        _ result: Result<Moya.Response, MoyaError>, target: any TargetType
    ) async -> Result<Moya.Response, MoyaError>
}

extension AsyncPluginType {
    /// What `prepare` gives.
    public func preparing(_ request: URLRequest, target: any TargetType) async throws -> URLRequest {
        prepare(request, target: target)
    }

    /// What `process` gives.
    public func processing(
        _ result: Result<Moya.Response, MoyaError>, target: any TargetType
    ) async -> Result<Moya.Response, MoyaError> {
        process(result, target: target)
    }
}
