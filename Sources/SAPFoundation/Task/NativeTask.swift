// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stands for one message of a task, for code that expects Foundation's kind of task.
final class NativeTask: URLSessionTask, @unchecked Sendable {  // everything changing is the owner's
    private weak var owner: SAPURLSessionTask?
    private let sent: URLRequest

    init(_ owner: SAPURLSessionTask, sending request: URLRequest) {
        self.owner = owner
        sent = request
        super.init()
    }

    override var originalRequest: URLRequest? { sent }
    override var currentRequest: URLRequest? { sent }
    override var response: URLResponse? { liveOwner?.response }
    override var error: (any Error)? { liveOwner?.error }
    override var state: URLSessionTask.State { liveOwner?.state ?? .completed }
    override func cancel() { liveOwner?.cancel() }
    override func suspend() { liveOwner?.suspend() }
    override func resume() { liveOwner?.resume() }

    /// The owner, while this is its task.
    private var liveOwner: SAPURLSessionTask? {
        guard let owner, owner.urlSessionTask === self else { return nil }
        return owner
    }
}
