// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// What a transfer does next, decided without doing anything: events go in, ``next()`` says what to do, in the order in which the
/// receiver has to hear of it.
///
///     body ready ─► resume task ─► interim heads ─► head ─► content … ─► end
///                                                    │ asks the receiver, may have to wait
///     a failure of ours (cancelled, timed out, a limit) overtakes everything that has not been delivered.
struct TransferMachine {
    enum Event {
        case interimHead(HTTPResponseHead)
        case head(HTTPResponseHead)
        case content(Data)
        case end(HTTPError?)
    }

    enum Action {
        case resumeTask
        case suspendTask
        case cancelTask
        case deliverInterimHead(HTTPResponseHead)
        case deliverHead(HTTPResponseHead)
        case open(ContentDisposition)
        case deliverContent(Data)
        case deliverProgress
        case finish(HTTPError?)
    }

    /// How far the receiver is with the head.
    private enum Reception {
        case beforeHead
        /// The receiver is being asked, or has said that it will answer later.
        case undecided
        /// It takes content, or has paused.
        case open(isPaused: Bool)
    }

    /// Whether a task that has run can be stopped and go on; where it cannot, what arrives is held here.
    let tasksCanPause: Bool
    /// How much is held at most, where the task cannot be stopped.
    let heldByteLimit: Int

    private var pending: [Event] = []
    private var pendingStart = 0
    private var heldBytes = 0
    private var failure: HTTPError?
    private var reception = Reception.beforeHead
    /// The receiver's answer to the head, until it is carried out.
    private var decision: ContentDisposition?
    /// Whether the receiver has asked for more since content was last handed to it: its order may overtake its answer `.pause`.
    private var moreIsWanted = false
    private var progressIsDue = false
    private var isSuspended = false
    private var isDraining = false
    private var hasTask = false
    private var taskRuns = false
    private var taskIsDone = false
    private var taskIsCancelled = false
    private var hasHead = false
    private var hasEnd = false
    private(set) var isFinished = false
    private(set) var bytesSent: Int64 = 0

    init(tasksCanPause: Bool, heldByteLimit: Int = 67_108_864) {
        self.tasksCanPause = tasksCanPause
        self.heldByteLimit = heldByteLimit
    }

    /// Whether the receiver, not the network, is what the transfer waits for: the idle time stands still.
    var waitsForReceiver: Bool {
        guard !isSuspended else { return true }
        guard !hasEnd else { return true }
        switch reception {
        case .undecided: return true
        case .open(let isPaused): return isPaused
        case .beforeHead: return false
        }
    }

    var hasReceivedHead: Bool { hasHead }

    /// Whether a callback of the task that must not come behind a cancellation may still be answered.
    var taskMayBeAnswered: Bool { !taskIsCancelled && !taskIsDone }

    // MARK: Events

    mutating func taskWasMade() { hasTask = true }

    mutating func receivedInterimHead(_ head: HTTPResponseHead) {
        guard !hasHead else { return }
        append(.interimHead(head))
    }

    mutating func receivedHead(_ head: HTTPResponseHead) {
        guard !hasHead else { return }
        hasHead = true
        append(.head(head))
    }

    mutating func receivedContent(_ bytes: Data) {
        guard hasHead, !bytes.isEmpty else { return }
        heldBytes += bytes.count
        append(.content(bytes))
    }

    mutating func sentBytes(total: Int64) {
        bytesSent = max(bytesSent, total)
        progressIsDue = true
    }

    /// The response is complete or will not be; the task may have to be cancelled nevertheless to be rid of it.
    mutating func ended(_ error: HTTPError?) {
        guard !hasEnd else { return }
        append(.end(error))
        hasEnd = true
    }

    /// Foundation has reported the task's end: it must not be touched any more.
    mutating func taskIsOver() { taskIsDone = true }

    // MARK: Orders

    mutating func suspend() { isSuspended = true }
    mutating func resume() { isSuspended = false }

    /// Ends the transfer with `error` unless it has ended; what was not delivered is dropped.
    mutating func fail(_ error: HTTPError) {
        guard failure == nil, !isFinished else { return }
        failure = error
    }

    /// Ends the transfer without an error before its content has ended.
    mutating func endEarly() {
        pending.removeAll()
        pendingStart = 0
        hasEnd = false
        append(.end(nil))
        hasEnd = true
    }

    /// The answer to the head, from the receiver's method or later; only the first counts, and `.wait` is none.
    mutating func decide(_ disposition: ContentDisposition) {
        guard case .undecided = reception, decision == nil else { return }
        if case .wait = disposition { return }
        decision = disposition
    }

    mutating func receiverPaused() {
        guard case .open = reception, !moreIsWanted else { return }
        reception = .open(isPaused: true)
    }

    mutating func receiverWantsMore() {
        guard case .open = reception else { return }
        moreIsWanted = true
        reception = .open(isPaused: false)
    }

    // MARK: What to do

    /// Whether the caller is the one that carries out what ``next()`` says; another one, if there is one, will see the change.
    mutating func beginDraining() -> Bool {
        guard !isDraining else { return false }
        isDraining = true
        return true
    }

    /// The next thing to do, or `nil`, with which draining ends.
    mutating func next() -> Action? {
        if let action = nextTaskAction() ?? nextDelivery() { return action }
        isDraining = false
        return nil
    }

    private mutating func nextTaskAction() -> Action? {
        guard hasTask, !taskIsDone, !taskIsCancelled else { return nil }
        if isFinished || failure != nil || hasEnd {
            taskIsCancelled = true
            return .cancelTask
        }
        let mayRun = !(isSuspended || (tasksCanPause && receiverHasPaused))
        if mayRun, !taskRuns {
            taskRuns = true
            return .resumeTask
        }
        if !mayRun, taskRuns, tasksCanPause {
            taskRuns = false
            return .suspendTask
        }
        return nil
    }

    private var receiverHasPaused: Bool {
        if case .open(isPaused: true) = reception { return true }
        return false
    }

    private mutating func nextDelivery() -> Action? {
        guard !isFinished else { return nil }
        if heldBytes > heldByteLimit, !tasksCanPause, failure == nil {
            failure = HTTPError(
                .unsupportedByTransport, attempting: "receiving content",
                "URLSession on this platform cannot stop a response, and more than \(heldByteLimit) bytes of it are waiting for the receiver; "
                    + "use CurlEngine")
            if let action = nextTaskAction() { return action }
        }
        if let failure {
            isFinished = true
            return .finish(failure)
        }
        guard !isSuspended else { return nil }
        if progressIsDue {
            progressIsDue = false
            return .deliverProgress
        }
        if let decision {
            self.decision = nil
            reception = .open(isPaused: false)
            return .open(decision)
        }
        guard pendingStart < pending.count else { return nil }
        switch (pending[pendingStart], reception) {
        case (.interimHead(let head), _):
            removeFirst()
            return .deliverInterimHead(head)
        case (.head(let head), _):
            removeFirst()
            reception = .undecided
            return .deliverHead(head)
        case (.content, .undecided), (.content, .open(isPaused: true)), (.end, .undecided), (.end, .open(isPaused: true)):
            return nil
        case (.content(let bytes), _):
            removeFirst()
            heldBytes -= bytes.count
            moreIsWanted = false
            progressIsDue = true
            return .deliverContent(bytes)
        case (.end(let error), _):
            isFinished = true
            return .finish(error)
        }
    }

    private mutating func append(_ event: Event) {
        guard !isFinished, !hasEnd else { return }
        pending.append(event)
    }

    private mutating func removeFirst() {
        pendingStart += 1
        if pendingStart == pending.count {
            pending.removeAll(keepingCapacity: true)
            pendingStart = 0
        } else if pendingStart >= 64 {
            pending.removeFirst(pendingStart)
            pendingStart = 0
        }
    }
}
