// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

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
        let link = CancellationLink()
        let result: Result<Moya.Response, MoyaError> = await awaitingCallback(onCancel: { link.cancel() }) { callback in
            link.connect(
                to: request(target, callbackQueue: Delivery.inlineQueue, progress: nil) { result in
                    // An override may call back more often than it should.
                    if link.settles() { callback(result) }
                })
        }
        return try link.translated(result).get()
    }
}

/// Connects the cancelling of a Swift task with a request that may not have been made yet.
final class CancellationLink: Sendable {
    private struct State {
        var request: Carried<any Cancellable>?
        var isCancelled = false
        var isSettled = false
    }

    private let state = Locked(State())

    func connect(to request: any Cancellable) {
        let isCancelled = state.withLock { state in
            // A request that has its outcome already needs no cancelling, and would be kept for nothing.
            if !state.isSettled { state.request = Carried(request) }
            return state.isCancelled
        }
        if isCancelled { request.cancel() }
    }

    func cancel() {
        let request = state.withLock { state in
            state.isCancelled = true
            return state.request
        }
        request?.value.cancel()
    }

    /// Whether the outcome that has arrived is the first.
    func settles() -> Bool {
        state.withLock { state in
            guard !state.isSettled else { return false }
            state.isSettled = true
            state.request = nil
            return true
        }
    }

    /// The result with the one error that asynchronous callers get for cancelling, however early it came.
    func translated(_ result: Result<Response, MoyaError>) -> Result<Response, MoyaError> {
        guard case .failure(let error) = result, error.isCancelledUnsent, state.withLock({ $0.isCancelled }) else { return result }
        return .failure(.cancelledInFlight)
    }
}
