// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages
import Synchronization

/// From any thread: what is asked for is done later, on the loop's.
extension Transfer: TransferControl {
    func cancel() { loop.post(.cancel(self)) }
    func suspend() { wish(for: Wishes.suspension, insteadOf: Wishes.resumption) }
    func resume() { wish(for: Wishes.resumption, insteadOf: Wishes.suspension) }
    func decide(_ disposition: ContentDisposition) { loop.post(.decide(self, disposition)) }
    func requestMoreContent() { wish(for: Wishes.content, insteadOf: 0) }

    /// One command at a time is on its way for all wishes, of which the last one counts: whoever asks faster than the loop can follow would
    /// otherwise have it carry out ever longer lists, and everybody else wait.
    private func wish(for wish: UInt8, insteadOf opposite: UInt8) {
        var before = wishes.load(ordering: .relaxed)
        while true {
            let (isExchanged, found) = wishes.weakCompareExchange(
                expected: before, desired: before & ~opposite | wish, ordering: .acquiringAndReleasing)
            if isExchanged { break }
            before = found
        }
        if before == 0 { loop.post(.steer(self)) }
    }
}

/// What may be asked of a transfer that has begun, as bits.
enum Wishes {
    static let suspension: UInt8 = 1
    static let resumption: UInt8 = 2
    static let content: UInt8 = 4
}

/// On the loop's thread, outside of libcurl's callbacks.
extension Transfer {
    func performCancel() {
        guard !machine.isFinished else { return }
        abort(error(.cancelled, "it was cancelled"))
    }

    func performWishes() {
        let asked = wishes.exchange(0, ordering: .acquiringAndReleasing)
        if asked & Wishes.suspension != 0 { performSuspend() }
        if asked & Wishes.resumption != 0 { performResume() }
        if asked & Wishes.content != 0 { performRequestMoreContent() }
    }

    private func performSuspend() {
        switch machine.suspended(hasBegun: !times.isConnecting) {
        case .ignore, .joinLine: return
        case .leaveLine: return loop.leaveLater(self)
        case .updatePauses: updatePauses()
        }
        updateDeadline()
    }

    /// All commands that were there are carried out: if it was not resumed among them, it gives its turn back. Whoever suspends and resumes
    /// in quick turns would otherwise begin a connection anew each time and never get to the end of one.
    func leaveIfSuspended() {
        guard machine.isSuspended, !machine.isFinished else { return }
        times.connectionEnded()
        multi.detach(self)
        updateDeadline()
    }

    private func performResume() {
        switch machine.resumed() {
        case .ignore, .leaveLine: return
        case .joinLine:
            if handle != nil {
                // It has not left yet.
                _ = machine.turnCame()
            } else if !isInLine {
                multi.enqueue(self)
            }
        case .updatePauses: updatePauses()
        }
        timeRunsAgain()
    }

    private func performRequestMoreContent() {
        guard machine.receiverWantsContent() == .updatePauses else { return }
        updatePauses()
        timeRunsAgain()
    }

    func performDecision(_ disposition: ContentDisposition) {
        if case .wait = disposition { return }
        let action = machine.decided()
        guard action != .ignore else { return }
        if let error = open(disposition) { return abort(error) }
        switch action {
        case .ignore: break
        case .open:
            updatePauses()
            timeRunsAgain()
        case .openAndEnd:
            if let failure = sink.close() { return abort(error(.destinationNotWritable, failure.reason)) }
            endAfterDecision()
        }
    }

    func bodyChunkArrived(_ result: Result<Data?, any Error>, attempt: Int) {
        guard !machine.isFinished, sender != nil else { return }
        sender?.chunkArrived(result, attempt: attempt, transfer: self)
        times.activity(at: loop.now)
        updatePauses()
    }

    /// Has libcurl told which directions stand still, when all commands of this turn are carried out: after it was told to go on, it reads
    /// (7.88) even if it is told to stand still again before it has had its turn.
    private func updatePauses() {
        guard !pausesHaveChanged else { return }
        pausesHaveChanged = true
        loop.updatePausesLater(self)
    }

    /// Tells libcurl which directions stand still. Content that it holds may come at once, within this call.
    func applyPauses() {
        pausesHaveChanged = false
        guard let handle else { return }
        let code = handle.pause(reading: machine.holdsReading, sending: machine.holdsSending)
        if code != CURLE_OK { engineEnded(code) }
    }

    private func timeRunsAgain() {
        times.activity(at: loop.now)
        updateDeadline()
    }
}
#endif
