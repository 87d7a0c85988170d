// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A task that mirrors one attempt of a request, for code that expects Foundation's; made only for those who ask for it.
final class TransferTask: URLSessionTask, @unchecked Sendable {  // everything changing is the request's, behind its lock
    private weak var owner: Request?
    private let attempt: Int
    private let urlRequest: URLRequest?

    init(_ owner: Request, attempt: Int, urlRequest: URLRequest?) {
        self.owner = owner
        self.attempt = attempt
        self.urlRequest = urlRequest
        super.init()
    }

    /// What this attempt sent.
    override var originalRequest: URLRequest? { urlRequest }
    /// What this attempt sent.
    override var currentRequest: URLRequest? { urlRequest }
    /// The response, if this is the last attempt.
    override var response: URLResponse? { liveOwner?.response }
    /// The request's error, if this is the last attempt.
    override var error: (any Error)? { liveOwner?.error }

    override var state: URLSessionTask.State {
        switch liveOwner?.state {
        case .initialized, .suspended: .suspended
        case .resumed: .running
        case .cancelled: .canceling
        case .finished, nil: .completed
        }
    }

    override var countOfBytesSent: Int64 { liveOwner?.progressSnapshot(upload: true).count ?? 0 }
    override var countOfBytesReceived: Int64 { liveOwner?.progressSnapshot(upload: false).count ?? 0 }
    override var countOfBytesExpectedToSend: Int64 { liveOwner?.progressSnapshot(upload: true).total ?? -1 }
    override var countOfBytesExpectedToReceive: Int64 { liveOwner?.progressSnapshot(upload: false).total ?? -1 }

    /// Cancels the request.
    override func cancel() { liveOwner?.cancel() }
    /// Suspends the request.
    override func suspend() { liveOwner?.suspend() }
    /// Resumes the request.
    override func resume() { liveOwner?.resume() }

    private var liveOwner: Request? {
        guard let owner, owner.retryCount == attempt else { return nil }
        return owner
    }
}

extension Request {
    /// One task for each attempt that was sent, the same object whenever it is asked for.
    ///
    /// It stands for all messages of its attempt, redirects and answers to challenges included, whichever transport sends them; over
    /// `URLSession` each of those has a task of Foundation's own, which is not shown.
    public var tasks: [URLSessionTask] {
        mutable.withLock { state in
            let performed = state.performed
            return state.withExtras { extras in
                for attempt in extras.tasks.count..<max(performed.count, extras.tasks.count) {
                    extras.tasks.append(TransferTask(self, attempt: attempt, urlRequest: performed[attempt]))
                }
                return extras.tasks
            }
        }
    }

    /// The first of ``tasks``.
    public var firstTask: URLSessionTask? { tasks.first }
    /// The last of ``tasks``.
    public var lastTask: URLSessionTask? { tasks.last }
    /// The same as ``lastTask``.
    public var task: URLSessionTask? { lastTask }

    /// The task of the attempt under way.
    var currentTask: URLSessionTask { lastTask ?? TransferTask(self, attempt: retryCount, urlRequest: lastRequest) }
}
