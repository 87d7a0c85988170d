// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sees every request of the providers that it is given to, and may change requests and results.
///
/// Each method is called on all plugins in the order of the provider's array:
///
/// - ``prepare(_:target:)`` and ``willSend(_:target:)`` once for every attempt to send the request, retries included, on the thread that
///   sets the request up. For a stub they are called once, inside `request`, on the caller's thread.
/// - ``didReceive(_:target:)`` and ``process(_:target:)`` once for the request, on the callback queue. For a request that is awaited they
///   are called by the task that waits; if that is busy, and always with ``MoyaProvider/trackInflights``, on the thread that ended the
///   attempt.
///
/// Next to an ``AsyncPluginType`` `prepare` and `process` run in the Swift task that awaits it. Several requests may call a plugin at once;
/// it must protect its own state. A plugin may make requests of its own in any of the four methods.
///
/// `target` is the value that was given to `request`; in a `MoyaProvider<MultiTarget>` that is the `MultiTarget`.
public protocol PluginType {
    /// Changes a request before it is sent. The default hands it on.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// A prepared request is about to be sent, or answered by a stub. The default does nothing.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// The request has ended, cancelled ones included; every plugin gets the same result, before any has processed it. The default does
    /// nothing.
    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType)

    /// Changes a result before it is delivered. The default hands it on.
    func process(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) -> Result<Moya.Response, MoyaError>
}

extension PluginType {
    /// Hands the request on.
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }

    /// Does nothing.
    public func willSend(_ request: any RequestType, target: any TargetType) {}

    /// Does nothing.
    public func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {}

    /// Hands the result on.
    public func process(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) -> Result<Moya.Response, MoyaError> {
        result
    }
}
