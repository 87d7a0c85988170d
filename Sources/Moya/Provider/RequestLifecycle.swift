// SPDX-License-Identifier: MIT

/// What becomes of one request, as a value: from the request closure's answer over the transfer to the end, with cancelling at any moment.
struct RequestLifecycle {
    private enum Phase {
        /// The request closure has not answered yet.
        case awaitingRequest
        /// It has, and the transfer or the stub is being made.
        case starting
        /// The transfer is under way.
        case running
        /// The outcome is known.
        case ended
    }

    private var phase = Phase.awaitingRequest
    /// The transfer, while it is under way.
    private(set) var transfer: (any Cancellable)?
    private(set) var isCancelled = false

    enum Answer {
        case proceed
        case reportCancellation
        case ignore
    }

    /// The request closure answered. It may do so again by mistake; only the first answer counts.
    mutating func requestArrived() -> Answer {
        guard phase == .awaitingRequest else { return .ignore }
        phase = .starting
        return isCancelled ? .reportCancellation : .proceed
    }

    /// The transfer was made. What is returned is to be cancelled: somebody cancelled while it was being made.
    mutating func started(_ transfer: any Cancellable) -> (any Cancellable)? {
        // The outcome may be there before the transfer is known here.
        guard phase == .starting else { return nil }
        phase = .running
        self.transfer = transfer
        return isCancelled ? transfer : nil
    }

    /// Somebody cancels. What is returned is to be cancelled.
    mutating func cancelled() -> (any Cancellable)? {
        guard !isCancelled else { return nil }
        isCancelled = true
        return phase == .running ? transfer : nil
    }

    /// The outcome is known. False if it was known before, so that it is not told twice.
    mutating func ended() -> Bool {
        guard phase != .ended else { return false }
        phase = .ended
        return true
    }

    /// Keeps the transfer no longer. What is returned is to be let go of where no lock is held.
    mutating func letGo() -> (any Cancellable)? { transfer.take() }
}
