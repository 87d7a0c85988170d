// SPDX-License-Identifier: MIT

/// Connects the cancelling of a Swift task with a request that may not have been made yet.
struct CancellationLink {
    private(set) var isCancelled = false
    private var isSettled = false
    private var request: (any Cancellable)?

    /// The request was made. What is returned is to be cancelled: the task was cancelled before.
    mutating func connected(to request: any Cancellable) -> (any Cancellable)? {
        // A request that has its outcome already needs no cancelling, and would be kept for nothing.
        if !isSettled { self.request = request }
        return isCancelled ? request : nil
    }

    /// The task is cancelled. What is returned is to be cancelled; once, however often the task waits.
    mutating func cancelled() -> (any Cancellable)? {
        guard !isCancelled else { return nil }
        isCancelled = true
        return request
    }

    /// Whether the outcome that has arrived is the first: an override may call back more often than it should.
    mutating func settles() -> Bool {
        guard !isSettled else { return false }
        isSettled = true
        return true
    }

    /// Keeps the request no longer. What is returned is to be let go of where no lock is held.
    mutating func letGo() -> (any Cancellable)? { request.take() }

    /// The result with the one error that asynchronous callers get for cancelling, however early it came.
    func translated(_ result: Result<Response, MoyaError>) -> Result<Response, MoyaError> {
        guard isCancelled, case .failure(let error) = result, error.isCancelledUnsent else { return result }
        return .failure(.cancelledInFlight)
    }
}
