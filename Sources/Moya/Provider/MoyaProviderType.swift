// SPDX-License-Identifier: MIT

import Foundation

/// Takes the outcome of a request. Called once for each request.
public typealias Completion = (_ result: Result<Moya.Response, MoyaError>) -> Void

/// Takes the progress of a request. It is not called after the completion.
public typealias ProgressBlock = (_ progress: ProgressResponse) -> Void

/// What sends the requests of one kind of targets.
public protocol MoyaProviderType: AnyObject {
    /// The targets whose requests are sent.
    associatedtype Target: TargetType

    /// Sends the request of a target; `progress` and `completion` are called on `callbackQueue`; nil leaves the queue to the provider.
    func request(
        _ target: Target, callbackQueue: DispatchQueue?, progress: Moya.ProgressBlock?, completion: @escaping Moya.Completion
    ) -> any Cancellable
}
