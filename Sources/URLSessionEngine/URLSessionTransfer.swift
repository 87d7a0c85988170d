// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One transfer: brings Foundation's events and the caller's orders to its machine, and carries out what that decides.
///
/// The receiver is called on the session's delegate queue only, and so is the task: an order from another thread goes there first. That
/// keeps a cancellation from coming between one of Foundation's callbacks and its answer, which traps on Linux.
final class URLSessionTransfer: TransferControl, @unchecked Sendable {  // what is not behind a lock is touched only while draining
    let request: HTTPRequest
    let options: TransferOptions
    let link: SessionLink
    let attempt: String
    let timer: TransferTimer

    // Any thread, behind their locks.
    let machine: Locked<TransferMachine>
    let task = Locked<URLSessionTask?>(nil)
    let spool = Locked<BodySpool?>(nil)
    let answerToHead = Locked<(@Sendable (URLSession.ResponseDisposition) -> Void)?>(nil)
    let refusalByTrust = Locked<HTTPError?>(nil)
    let metrics = Locked<TransferMetrics?>(nil)
    let taskMaking = Locked(TaskMaking.outstanding)
    #if canImport(Darwin)
    let streamedBody = Locked<BoundStreamBody?>(nil)
    #endif

    // Only by the one who drains the machine.
    var receiver: (any TransferReceiver)?
    var sink: ContentSink?
    var bytesReceived: Int64 = 0
    var head: HTTPResponseHead?

    init(_ request: HTTPRequest, options: TransferOptions, receiver: any TransferReceiver, link: SessionLink) {
        self.request = request
        self.options = options
        self.receiver = receiver
        self.link = link
        attempt = request.redactedDescription
        timer = TransferTimer(options.timeouts)
        #if canImport(Darwin)
        machine = Locked(TransferMachine(tasksCanPause: true))
        #else
        machine = Locked(TransferMachine(tasksCanPause: false))
        #endif
    }

    // MARK: The beginning

    /// Called once, on the caller's thread.
    func begin() {
        if let refusal = link.refusals.refusal(of: request, options: options) { return order { $0.fail(refusal) } }
        guard link.begin(self) else {
            taskMaking.withLock { $0 = .settled }
            let error = HTTPError(.shutDown, attempting: attempt, "the transport is shut down; make a new one")
            return order { $0.fail(error) }
        }
        timer.start { [weak self] in
            self?.machine.withLock { $0.waitsForReceiver } ?? true
        } onLimit: { [weak self] limit in
            self?.reached(limit)
        }
        do throws(HTTPError) {
            makeTask(try PreparedBody(request.body, attempting: attempt))
        } catch {
            order { $0.fail(error) }
        }
    }

    // MARK: Orders, from any thread

    func cancel() {
        let error = HTTPError(.cancelled, attempting: attempt, "it was cancelled")
        order { $0.fail(error) }
    }

    func suspend() { order { $0.suspend() } }

    func resume() {
        timer.movement()
        order { $0.resume() }
    }

    func decide(_ disposition: ContentDisposition) {
        timer.movement()
        order { $0.decide(disposition) }
    }

    func requestMoreContent() {
        timer.movement()
        order { $0.receiverWantsMore() }
    }

    private func reached(_ limit: TransferTimer.Limit) {
        let error =
            switch limit {
            case .idle:
                // A file that shrank while it was sent stops Foundation on Linux without an error.
                request.body?.fileFault(attempting: attempt)
                    ?? HTTPError(
                        .idleTimedOut, attempting: attempt,
                        "nothing moved for \(options.timeouts.idle ?? .zero); allow more time, or see whether the server answers")
            case .resource:
                HTTPError(
                    .resourceTimedOut, attempting: attempt, "it took longer than the \(options.timeouts.resource ?? .zero) it is allowed")
            }
        order { $0.fail(error) }
    }

    func order(_ change: (inout TransferMachine) -> Void) {
        machine.withLock { change(&$0) }
        scheduleDraining()
    }

    func scheduleDraining() {
        link.session.delegateQueue.addOperation { [self] in drain() }
    }

    // MARK: Carrying out

    func drain() {
        guard machine.withLock({ $0.beginDraining() }) else { return }
        while let action = machine.withLock({ $0.next() }) { perform(action) }
    }

    private func perform(_ action: TransferMachine.Action) {
        switch action {
        case .resumeTask:
            timer.movement()
            underlying?.resume()
        case .suspendTask: underlying?.suspend()
        case .cancelTask:
            discardBody()
            underlying?.cancel()
        case .deliverInterimHead(let head): receiver?.transferDidReceiveInterimHead(head)
        case .deliverHead(let head): deliver(head)
        case .open(let disposition): open(disposition)
        case .deliverContent(let bytes): deliver(bytes)
        case .deliverProgress: if options.reportsProgress { receiver?.transferDidProgress(progress) }
        case .finish(let error): finish(error)
        }
    }

    private var underlying: URLSessionTask? { task.withLock { $0 } }
}
