// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

/// From any thread: what is asked for is done later, on the loop's.
extension Transfer: TransferControl {
    func cancel() { loop.post(.cancel(self)) }
    func suspend() { loop.post(.suspend(self)) }
    func resume() { loop.post(.resume(self)) }
    func decide(_ disposition: ContentDisposition) { loop.post(.decide(self, disposition)) }
    func requestMoreContent() { loop.post(.requestMoreContent(self)) }
}

/// On the loop's thread, outside of libcurl's callbacks.
extension Transfer {
    func performCancel() {
        guard !machine.isFinished else { return }
        abort(error(.cancelled, "it was cancelled"))
    }

    func performSuspend() {
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

    func performResume() {
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

    func performRequestMoreContent() {
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
