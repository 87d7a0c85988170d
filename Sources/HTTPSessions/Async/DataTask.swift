// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A data request on its way to a value, for `async` code. Making one resumes the request.
public struct DataTask<Value: Sendable>: Sendable {
    private let run: AsyncRun<DataRequest, DataResponse<Value, AFError>>

    init(_ request: DataRequest, cancelsAutomatically: Bool, start: (@escaping @Sendable (DataResponse<Value, AFError>) -> Void) -> Void) {
        run = AsyncRun(request, cancelsAutomatically: cancelsAutomatically, start: start)
    }

    /// Everything about the response, once it is there. Cancelling the awaiting task cancels the request, unless
    /// `automaticallyCancelling` was false.
    public var response: DataResponse<Value, AFError> {
        get async { await run.result }
    }

    /// The value or the error.
    public var result: Result<Value, AFError> {
        get async { await response.result }
    }

    /// The value.
    /// - Throws: `AFError`; `explicitlyCancelled` if the request was cancelled.
    public var value: Value {
        get async throws { try await result.get() }
    }

    /// Cancels the request.
    public func cancel() { run.request.cancel() }
    /// Goes on with a suspended request.
    public func resume() { run.request.resume() }
    /// Suspends the request.
    public func suspend() { run.request.suspend() }
}

/// A download on its way to a value, for `async` code. Making one resumes the request.
public struct DownloadTask<Value: Sendable>: Sendable {
    private let run: AsyncRun<DownloadRequest, DownloadResponse<Value, AFError>>

    init(
        _ request: DownloadRequest, cancelsAutomatically: Bool,
        start: (@escaping @Sendable (DownloadResponse<Value, AFError>) -> Void) -> Void
    ) {
        run = AsyncRun(request, cancelsAutomatically: cancelsAutomatically, start: start)
    }

    /// Everything about the response, once it is there. Cancelling the awaiting task cancels the request, unless
    /// `automaticallyCancelling` was false.
    public var response: DownloadResponse<Value, AFError> {
        get async { await run.result }
    }

    /// The value or the error.
    public var result: Result<Value, AFError> {
        get async { await response.result }
    }

    /// The value.
    /// - Throws: `AFError`; `explicitlyCancelled` if the request was cancelled.
    public var value: Value {
        get async throws { try await result.get() }
    }

    /// Cancels the request.
    public func cancel() { run.request.cancel() }
    /// Goes on with a suspended request.
    public func resume() { run.request.resume() }
    /// Suspends the request.
    public func suspend() { run.request.suspend() }
}

/// A request whose one result any number of tasks may wait for.
private struct AsyncRun<R: Request, Output: Sendable>: Sendable {
    private enum State {
        case running([@Sendable (Output) -> Void])
        case finished(Output)
    }

    let request: R
    private let cancelsAutomatically: Bool
    private let state = Locked(State.running([]))

    init(_ request: R, cancelsAutomatically: Bool, start: (@escaping @Sendable (Output) -> Void) -> Void) {
        self.request = request
        self.cancelsAutomatically = cancelsAutomatically
        start { [state] output in
            let waiting = state.withLock { state in
                guard case .running(let waiting) = state else { return [@Sendable (Output) -> Void]() }
                state = .finished(output)
                return waiting
            }
            for callback in waiting { callback(output) }
        }
        request.resume()
    }

    var result: Output {
        get async {
            await awaitingCallback {
                if cancelsAutomatically { request.cancel() }
            } _: { callback in
                let output: Output? = state.withLock { state in
                    switch state {
                    case .finished(let output): return output
                    case .running(let waiting):
                        state = .running(waiting + [callback])
                        return nil
                    }
                }
                if let output { callback(output) }
            }
        }
    }
}
