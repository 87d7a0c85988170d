// SPDX-License-Identifier: MIT

#if Curl && os(Linux)

/// What a transfer's events mean, decided without doing anything: each event returns what is to be done.
///
///     waiting ─ turnCame ─▶ awaitingHead ─ headArrived ─▶ receiving ─ engineEnded ─▶ finished
///        │                                  │      ▲
///        │                             (wait)▼      │ decided
///        │                            awaitingDecision
///        └────────── cancelled, failed: from every state ──────────────▶ finished
///
/// Reading stands still for three reasons that come and go by themselves: the transfer is suspended, its receiver wants no more for now,
/// or has not decided where the content goes. Sending stands still only while it is suspended.
struct TransferStateMachine: Equatable {
    enum Phase: Equatable {
        /// libcurl does not know of it.
        case waiting
        /// The request is being sent, or has been.
        case awaitingHead
        /// The receiver will say where the content goes; `hasEnded` when libcurl has nothing more to bring.
        case awaitingDecision(hasEnded: Bool)
        case receiving
        case finished
    }

    private(set) var phase = Phase.waiting
    private(set) var isSuspended = false
    private var receiverWantsMore = true

    var isFinished: Bool { phase == .finished }

    /// Whether the final head has arrived.
    var hasHead: Bool {
        switch phase {
        case .waiting, .awaitingHead: false
        case .awaitingDecision, .receiving, .finished: true
        }
    }

    /// Whether nothing is to be read from the connection now.
    var holdsReading: Bool {
        if case .awaitingDecision = phase { return true }
        return isSuspended || !receiverWantsMore
    }

    /// Whether nothing is to be sent now.
    var holdsSending: Bool { isSuspended }

    /// Whether time passes for the idle limit.
    var idleTimeRuns: Bool { !holdsReading }

    enum TurnAction: Equatable { case send, stayOut }

    /// A connection is free for it.
    mutating func turnCame() -> TurnAction {
        guard phase == .waiting, !isSuspended else { return .stayOut }
        phase = .awaitingHead
        return .send
    }

    /// The final head is there; the answer says whether the receiver is to hear of it.
    mutating func headArrived() -> Bool {
        guard phase == .awaitingHead else { return false }
        phase = .receiving
        return true
    }

    /// The receiver will decide later.
    mutating func decisionWasPutOff() {
        guard phase == .receiving else { return }
        phase = .awaitingDecision(hasEnded: false)
    }

    enum ContentAction: Equatable { case take, hold, refuse }

    mutating func contentArrived() -> ContentAction {
        switch phase {
        case .waiting, .awaitingHead, .finished: .refuse
        case .awaitingDecision: .hold
        case .receiving: holdsReading ? .hold : .take
        }
    }

    /// The receiver took a piece of content and wants no more for now.
    mutating func receiverIsFull() { receiverWantsMore = false }

    enum DecisionAction: Equatable { case ignore, open, openAndEnd }

    mutating func decided() -> DecisionAction {
        guard case .awaitingDecision(let hasEnded) = phase else { return .ignore }
        phase = .receiving
        return hasEnded ? .openAndEnd : .open
    }

    enum DemandAction: Equatable { case ignore, updatePauses }

    mutating func receiverWantsContent() -> DemandAction {
        guard !isFinished, !receiverWantsMore else { return .ignore }
        receiverWantsMore = true
        return .updatePauses
    }

    enum SuspensionAction: Equatable { case ignore, leaveLine, joinLine, updatePauses }

    /// - Parameter hasBegun: whether a byte of the request may have been sent; if not, the transfer gives its turn back.
    mutating func suspended(hasBegun: Bool) -> SuspensionAction {
        guard !isFinished, !isSuspended else { return .ignore }
        isSuspended = true
        if phase == .awaitingHead, !hasBegun { phase = .waiting }
        return phase == .waiting ? .leaveLine : .updatePauses
    }

    mutating func resumed() -> SuspensionAction {
        guard !isFinished, isSuspended else { return .ignore }
        isSuspended = false
        return phase == .waiting ? .joinLine : .updatePauses
    }

    enum EndAction: Equatable { case ignore, deliver, hold }

    /// libcurl is done with it. A success waits for a decision that was put off; a failure does not.
    mutating func engineEnded(succeeded: Bool) -> EndAction {
        switch phase {
        case .finished: return .ignore
        case .awaitingDecision where succeeded:
            phase = .awaitingDecision(hasEnded: true)
            return .hold
        case .waiting, .awaitingHead, .awaitingDecision, .receiving:
            phase = .finished
            return .deliver
        }
    }

    /// Cancelled, overdue or never begun: `true` if this is the end.
    mutating func stopped() -> Bool {
        guard !isFinished else { return false }
        phase = .finished
        return true
    }
}
#endif
