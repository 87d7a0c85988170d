// SPDX-License-Identifier: MIT

/// What becomes of one request, as a value: from the request closure's answer over the transfer to the end, with cancelling at any moment.
struct RequestLifecycle {
    private enum State {
        /// The request closure has not answered yet.
        case awaitingRequest
        /// It has, and the transfer or the stub is being made.
        case starting
        /// The transfer is under way.
        case running(any Cancellable)
        /// The outcome is known.
        case ended
    }

    private var state = State.awaitingRequest
    private(set) var isCancelled = false

    /// The transfer, while it is under way.
    var transfer: (any Cancellable)? {
        if case .running(let transfer) = state { transfer } else { nil }
    }

    enum Answer {
        case proceed
        case reportCancellation
        case ignore
    }

    /// The request closure answered. It may do so again by mistake; only the first answer counts.
    mutating func requestArrived() -> Answer {
        guard case .awaitingRequest = state else { return .ignore }
        state = .starting
        return isCancelled ? .reportCancellation : .proceed
    }

    /// The transfer was made. What is returned is to be cancelled: somebody cancelled while it was being made.
    mutating func started(_ transfer: any Cancellable) -> (any Cancellable)? {
        // The outcome may be there before the transfer is known here.
        guard case .starting = state else { return nil }
        state = .running(transfer)
        return isCancelled ? transfer : nil
    }

    /// Somebody cancels. What is returned is to be cancelled.
    mutating func cancelled() -> (any Cancellable)? {
        guard !isCancelled else { return nil }
        isCancelled = true
        guard case .running(let transfer) = state else { return nil }
        return transfer
    }

    /// The outcome is known; the transfer is let go. False if it was known before, so that it is not told twice.
    mutating func ended() -> Bool {
        if case .ended = state { return false }
        state = .ended
        return true
    }
}
