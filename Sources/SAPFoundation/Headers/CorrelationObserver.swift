// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gives every task one identifier, the same however often its request is sent, so that its traces can be found on both sides.
open class CorrelationObserver: SAPURLSessionObserving, @unchecked Sendable {  // what changes is behind its lock
    private let identifiers = Locked<[UUID: String]>([:])
    /// The field that carries it. Default: `X-CorrelationID`.
    public let headerName: String

    /// Identifiers in the field `X-CorrelationID`.
    public init() { headerName = "X-CorrelationID" }

    /// Identifiers in a field of the caller's choice.
    public init(headerName: String) { self.headerName = headerName }

    /// A new identifier. Default: a UUID.
    open func newCorrelationID() -> String { UUID().uuidString }

    /// The identifier of a running task; `nil` before it is sent and when it has ended.
    public func correlationID(of task: SAPURLSessionTask) -> String? {
        let taskID = task.taskID
        return identifiers.withLock { $0[taskID] }
    }

    /// Adds the field, and reports the identifier to ``SAPDiagnostics``.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        let taskID = task.taskID
        let identifier: String
        if let known = correlationID(of: task) {
            identifier = known
        } else {
            let new = newCorrelationID()
            identifiers.withLock { $0[taskID] = new }
            SAPDiagnostics.report(.info, "\(headerName) \(new): \(request.url?.host ?? "")")
            identifier = new
        }
        var request = request
        request.setValue(identifier, forHTTPHeaderField: headerName)
        completionHandler(.use(request))
    }

    /// Forgets the task's identifier.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        let taskID = task.taskID
        identifiers.withLock { $0[taskID] = nil }
        completionHandler()
    }

    /// Another one with the same field.
    public func copy() -> Any? { CorrelationObserver(headerName: headerName) }
}
