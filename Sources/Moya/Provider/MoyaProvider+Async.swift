// SPDX-License-Identifier: MIT

import Foundation

extension MoyaProvider {
    /// Sends the request of a target and returns its response.
    ///
    /// Goes through ``request(_:callbackQueue:progress:completion:)``, a subclass's included, with a queue of its own. What follows when an
    /// attempt has ended (validation, retriers, plugins) is done where the caller waits or, while it does not, on the thread that ended the
    /// attempt; with ``trackInflights`` always there, since others may wait for the same attempt. Cancelling the Swift task cancels the
    /// request; a delayed stub and a request closure that has not answered are waited for even then.
    /// - Throws: the request's failure; when cancelled, ``MoyaError/underlying(_:_:)`` around `AFError.explicitlyCancelled`. Nothing is
    ///   sent if the task is cancelled already.
    public nonisolated(nonsending) func request(_ target: Target) async throws(MoyaError) -> Moya.Response {
        guard !_Concurrency.Task.isCancelled else { throw .cancelledInFlight }
        let awaited = AwaitedRequest()
        AwaitedRequest.$current.withValue(awaited) {
            awaited.connect(to: request(target, callbackQueue: Delivery.inlineQueue, progress: nil) { awaited.ended($0) })
        }
        if !awaited.hasEnded { await awaited.waitForEnd() }
        return try awaited.takeOutcome().get()
    }
}
