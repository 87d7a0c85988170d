// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The life of one task: who is asked what, in which order, and what follows.
///
/// At most one question is open at a time; each has a number, and an answer to another number than the current one comes too late.
final class TaskPipeline: @unchecked Sendable {  // everything that changes is touched on `queue` only
    static let resendLimit = 4
    static let authRetryLimit = 6
    static let departureLimit = 20

    let queue: DispatchQueue
    let task: SAPURLSessionTask
    let session: SAPURLSession

    // On the queue only.
    var observers: [any SAPURLSessionObserving] = []
    var attempt: Attempt?
    /// What the attempt under way shows in the handshake.
    var identity: ClientIdentity?
    /// Redirects to other origins that were followed by a new attempt.
    var departureCount = 0
    var resendCount = 0
    var authRetryCount = 0
    private var question = 0
    /// A step that waits for `resume()`.
    private var heldStep: (() -> Void)?
    var outcome: Outcome?
    /// Where a download's content goes.
    var downloadedFile: URL?
    /// What a data task has become.
    var becameDownload: SAPURLSessionDownloadTask?
    /// Whoever cancelled wants to know how far the download has come.
    var resumeDataHandler: (@Sendable (Data?) -> Void)?
    /// The stream that was sent last.
    var spentStream: InputStream?
    private var isOver = false

    /// What the caller is told.
    struct Outcome {
        var data: Data?
        var response: URLResponse?
        var error: (any Error)?
    }

    init(_ task: SAPURLSessionTask) {
        self.task = task
        session = task.session
        queue = session.queue
    }

    // MARK: Steering, from any thread

    func start(isAllowed: Bool) {
        // Taken at once: observers that are registered later are for later tasks.
        let observers = Observers(list: isAllowed ? session.registeredObservers : [])
        queue.async { [self] in
            // Cancelled meanwhile.
            guard outcome == nil else { return isOver ? session.taskDidEnd(task) : () }
            self.observers = observers.list
            guard isAllowed else { return complete(error: SAPURLSessionError.invalidURLSession) }
            begin()
        }
    }

    func suspend() { queue.async { self.attempt?.steer() } }

    func resume() {
        queue.async { [self] in
            attempt?.steer()
            guard let step = heldStep, !isHeld else { return }
            heldStep = nil
            step()
        }
    }

    func cancel() {
        queue.async { [self] in
            // Whoever is told about the end already is not waited for any longer.
            if outcome != nil { return conclude() }
            forgetUntouchedPart()
            complete(response: task.response, error: URLError(.cancelled))
        }
    }

    // MARK: Questions, on the queue

    private struct Observers: @unchecked Sendable {  // carried to the queue, and touched there only
        let list: [any SAPURLSessionObserving]
    }

    var isHeld: Bool { task.visible.withLock { $0.isSuspended } }
    var delegate: (any SAPURLSessionDelegate)? { session.delegate }

    /// Puts a question; `then` runs on the queue with its first answer, if that is still wanted, and not while the task is suspended.
    func ask<Answer: Sendable>(
        _ hook: String, _ put: (_ answer: @escaping @Sendable (Answer) -> Void) -> Void, then: @escaping @Sendable (Answer) -> Void
    ) {
        question += 1
        let number = question
        let once = AnswerOnce<Answer>(hook: hook) { [self] answer in
            queue.async { [self] in
                guard number == question else { return }
                guard isHeld else { return then(answer) }
                heldStep = { then(answer) }
            }
        }
        put { once.give($0) }
    }

    /// The same, put to the delegate, where it is called.
    func askDelegate<Answer: Sendable>(
        _ hook: String, otherwise answer: Answer,
        _ put: @escaping @Sendable (any SAPURLSessionDelegate, _ answer: @escaping @Sendable (Answer) -> Void) -> Void,
        then: @escaping @Sendable (Answer) -> Void
    ) {
        guard delegate != nil else { return then(answer) }
        ask(hook) { answered in
            session.delegateQueue.addOperation { [self] in
                guard let delegate else { return answered(answer) }
                put(delegate, answered)
            }
        } then: {
            then($0)
        }
    }

    /// Nothing of the attempt under way is wanted any more; see ``Attempt/abandon(cancelling:)``.
    func abandonAttempt(cancelling: Bool) {
        attempt?.abandon(cancelling: cancelling)
        attempt = nil
    }

    // MARK: The end, on the queue

    /// Settles the outcome and tells the observers, one after the other.
    func complete(data: Data? = nil, response: URLResponse? = nil, error: (any Error)? = nil) {
        guard outcome == nil else { return }
        question += 1
        heldStep = nil
        abandonAttempt(cancelling: error != nil)
        outcome = Outcome(data: data, response: response, error: error)
        task.visible.withLock { visible in
            visible.response = response
            visible.error = error
            visible.isSuspended = false
        }
        tellObservers(from: 0)
    }

    private func tellObservers(from index: Int) {
        guard index < observers.count, let outcome else { return conclude() }
        ask("didCompleteWithError") { answer in
            observers[index].sapURLSession(session, task: task, didCompleteWithError: outcome.error) { answer(()) }
        } then: { [self] (_: Void) in
            tellObservers(from: index + 1)
        }
    }

    func conclude() {
        guard let outcome, !isOver else { return }
        isOver = true
        giveResumeData(nil)
        question += 1
        observers = []
        task.visible.withLock { $0.state = .completed }
        let (file, download) = (downloadedFile, downloadTask)
        session.delegateQueue.addOperation { [self] in
            // A response without content makes no file, but the caller was promised one.
            if let file, outcome.error == nil, !FileManager.default.fileExists(atPath: file.path) {
                _ = FileManager.default.createFile(atPath: file.path, contents: nil)
            }
            switch task.delivery {
            case .handler(let handler): handler(outcome.data, outcome.response, outcome.error)
            case .download(let handler): handler(outcome.error == nil ? file : nil, outcome.response, outcome.error)
            case .delegate:
                if let download, let file, outcome.error == nil {
                    delegate?.sapURLSession(session, downloadTask: download, didFinishDownloadingTo: file)
                }
                delegate?.sapURLSession(session, task: download ?? task, didCompleteWithError: outcome.error)
            }
            if let file { try? FileManager.default.removeItem(at: file) }
            task.pipelineEnded()
            session.taskDidEnd(task)
        }
    }
}
