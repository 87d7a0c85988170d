// SPDX-License-Identifier: MIT

import Foundation

extension MoyaProvider {
    /// Sends the request of a target and returns its response.
    ///
    /// Goes through ``request(_:callbackQueue:progress:completion:)``, a subclass's included, with a queue of its own: plugins run on the
    /// thread that has the response, and the call resumes from there. Cancelling the Swift task cancels the request; a delayed stub and a
    /// request closure that has not answered are waited for even then.
    /// - Throws: the request's failure; when cancelled, ``MoyaError/underlying(_:_:)`` around `AFError.explicitlyCancelled`. Nothing is
    ///   sent if the task is cancelled already.
    public nonisolated(nonsending) func request(_ target: Target) async throws(MoyaError) -> Moya.Response {
        guard !_Concurrency.Task.isCancelled else { throw .cancelledInFlight }
        let awaited = AwaitedRequest()
        awaited.connect(to: request(target, callbackQueue: Delivery.inlineQueue, progress: nil) { awaited.ended($0) })
        if !awaited.hasEnded {
            await withTaskCancellationHandler {
                await withUnsafeContinuation { awaited.resumes($0) }
            } onCancel: {
                awaited.cancel()
            }
        }
        return try awaited.outcome.get()
    }
}
