// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The caller's handle on one request, the same however often the request is sent for it.
public class SAPURLSessionTask: @unchecked Sendable {  // what changes is behind `visible`, or belongs to the pipeline
    /// Where the outcome goes.
    enum Delivery: Sendable {
        case handler(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
        case delegate
        case download(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)
    }

    /// What is sent besides the request's fields.
    enum Content: Sendable {
        /// The request's own body.
        case ofRequest
        case data(Data)
        case file(URL)
        /// What the delegate supplies, unless the request has a stream.
        case stream
        /// Nothing, and the response goes on where an earlier download stopped.
        case resumed(Result<ResumePoint, ResumePoint.Failure>)
    }

    enum PipelineState {
        case none
        case live(TaskPipeline)
        case ended
    }

    struct Visible {
        var native: URLSessionTask?
        var priority: Float = 0.5
        var taskDescription: String?
        var state = URLSessionTask.State.suspended
        var isStarted = false
        var isSuspended = true
        var currentRequest: URLRequest?
        var response: URLResponse?
        var error: (any Error)?
        var bypassIdentifier: UUID?
        var followsRedirects = true
    }

    /// Stays the same over resends and retries.
    public let taskID: UUID
    /// As the caller gave it.
    public let originalRequest: URLRequest?

    let delivery: Delivery
    let content: Content
    let session: SAPURLSession
    let visible: Locked<Visible>
    private let pipeline: Locked<PipelineState>

    init(_ session: SAPURLSession, _ request: URLRequest?, _ delivery: Delivery, _ content: Content = .ofRequest) {
        taskID = UUID()
        self.content = content
        self.session = session
        originalRequest = request
        self.delivery = delivery
        visible = Locked(Visible(currentRequest: request))
        pipeline = Locked(.none)
    }

    /// Another handle on what `task` stands for.
    init(standingFor task: SAPURLSessionTask) {
        taskID = task.taskID
        content = task.content
        session = task.session
        originalRequest = task.originalRequest
        delivery = task.delivery
        visible = task.visible
        pipeline = task.pipeline
    }

    // MARK: Properties

    /// The native task of the message under way; `nil` before the first one. Do not resume it.
    public var urlSessionTask: URLSessionTask? { visible.withLock { $0.native } }

    /// From 0 to 1; every message gets it.
    public var priority: Float {
        get { visible.withLock { $0.priority } }
        set { visible.withLock { $0.priority = newValue } }
    }

    /// A text of the caller's own.
    public var taskDescription: String? {
        get { visible.withLock { $0.taskDescription } }
        set { visible.withLock { $0.taskDescription = newValue } }
    }

    /// Running from `resume()` to the end, also between messages and while somebody is asked.
    public var state: URLSessionTask.State { visible.withLock { $0.state } }
    /// What was sent last, as observers and redirects made it.
    public var currentRequest: URLRequest? { visible.withLock { $0.currentRequest } }
    /// The response; never one that was answered with credentials or led to a resend.
    public var response: URLResponse? { visible.withLock { $0.response } }
    /// Why the task failed.
    public var error: (any Error)? { visible.withLock { $0.error } }

    /// Marks a request that an authentication hook sends itself, so that it is not held back with the others (``AuthenticationHandling``).
    /// Set it before `resume()`.
    public var requestBypassIdentifier: UUID? {
        get { visible.withLock { $0.bypassIdentifier } }
        set { visible.withLock { $0.bypassIdentifier = newValue } }
    }

    /// Whether observers and delegate are asked about redirects at all; otherwise the redirecting response is delivered.
    var followsRedirects: Bool {
        get { visible.withLock { $0.followsRedirects } }
        set { visible.withLock { $0.followsRedirects = newValue } }
    }

    // MARK: Steering

    /// Starts the task, or goes on after `suspend()`. A task that has ended stays as it is.
    public func resume() {
        let starts = visible.withLock { visible in
            guard visible.state == .suspended else { return false }
            visible.state = .running
            visible.isSuspended = false
            defer { visible.isStarted = true }
            return !visible.isStarted
        }
        guard let pipeline = makePipeline() else { return }
        starts ? pipeline.start(isAllowed: session.taskWillStart(self)) : pipeline.resume()
    }

    /// Holds back the next step and what is being sent or received, until `resume()`.
    public func suspend() {
        let suspends = visible.withLock { visible in
            guard visible.state == .running else { return false }
            visible.state = .suspended
            visible.isSuspended = true
            return true
        }
        if suspends { makePipeline()?.suspend() }
    }

    /// Ends the task with `URLError.cancelled`, unless it has ended; whoever is being asked is asked in vain.
    public func cancel() {
        if becomesCancelling() { makePipeline()?.cancel() }
    }

    /// - Returns: whether it is for the caller to cancel the pipeline.
    func becomesCancelling() -> Bool {
        visible.withLock { visible in
            guard visible.state != .completed, visible.state != .canceling else { return false }
            visible.state = .canceling
            visible.isSuspended = false
            visible.isStarted = true
            return true
        }
    }

    /// The pipeline, made when it is first needed since it holds the task; `nil` when it has ended.
    func makePipeline() -> TaskPipeline? {
        pipeline.withLock { state in
            switch state {
            case .live(let pipeline): return pipeline
            case .ended: return nil
            case .none:
                let pipeline = TaskPipeline(self)
                state = .live(pipeline)
                return pipeline
            }
        }
    }

    /// The pipeline lets go of itself.
    func pipelineEnded() { pipeline.withLock { $0 = .ended } }
}

extension SAPURLSessionTask: CustomStringConvertible, CustomReflectable {
    /// The method and the URL without its secrets.
    public var description: String {
        "SAPURLSessionTask(\(originalRequest?.httpMethod ?? "GET") \(originalRequest?.url?.redactedDescription ?? "without a URL"))"
    }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["task": description]) }
}
