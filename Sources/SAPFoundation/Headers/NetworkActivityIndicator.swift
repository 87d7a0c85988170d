// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Counts who is busy; something is shown while that is more than nobody. There is no user interface in here.
public class NetworkActivityIndicatorController: @unchecked Sendable {  // what changes is behind its lock
    private struct State {
        var count = 0
        var handler: (@Sendable (Bool) -> Void)?
    }

    /// The process's one.
    public static let shared = NetworkActivityIndicatorController()

    private let state = Locked(State())

    /// A counter of its own.
    public init() {}

    /// Whether anybody is busy.
    public var isVisible: Bool { state.withLock { $0.count > 0 } }

    /// Is called when ``isVisible`` changes, on the thread that changed it; changes that cross may be told in either order, so look at
    /// ``isVisible``.
    public var changeHandler: (@Sendable (_ isVisible: Bool) -> Void)? {
        get { state.withLock { $0.handler } }
        set {
            var replaced = newValue
            // Let go of where no lock is held.
            state.withLock { swap(&$0.handler, &replaced) }
        }
    }

    /// One more is busy.
    public func shouldShowActivityIndicator() {
        let handler = state.withLock { state in
            state.count += 1
            return state.count == 1 ? state.handler : nil
        }
        handler?(true)
    }

    /// One less is busy; never less than none.
    public func shouldHideActivityIndicator() {
        let handler = state.withLock { state -> (@Sendable (Bool) -> Void)? in
            guard state.count > 0 else { return nil }
            state.count -= 1
            return state.count == 0 ? state.handler : nil
        }
        handler?(false)
    }
}

/// Counts a session's tasks as busy from the time they are sent until they end, resends included.
public class NetworkActivityIndicatorObserver: SAPURLSessionObserving, @unchecked Sendable {  // what changes is behind its lock
    private let busy = Locked<Set<UUID>>([])
    private let controller: NetworkActivityIndicatorController

    /// `controller`: by default the process's one.
    public init(controller: NetworkActivityIndicatorController = .shared) { self.controller = controller }

    /// The task is busy.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        let taskID = task.taskID
        if busy.withLock({ $0.insert(taskID).inserted }) { controller.shouldShowActivityIndicator() }
        completionHandler(.use(request))
    }

    /// The task is no longer busy.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        let taskID = task.taskID
        if busy.withLock({ $0.remove(taskID) != nil }) { controller.shouldHideActivityIndicator() }
        completionHandler()
    }

    /// Another one for the same controller.
    public func copy() -> Any? { NetworkActivityIndicatorObserver(controller: controller) }
}
