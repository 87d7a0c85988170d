// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Posts a notification for the steps of every request of a session; the request is the notification's object and its `request`.
///
/// The notifications come on the main queue. A session has no such monitor unless it is given one: posting costs more than a small request.
public final class AlamofireNotifications: EventMonitor {
    /// A monitor that posts to the default center.
    public init() {}

    /// Posts ``Request/didResumeNotification``.
    public func requestDidResume(_ request: Request) { post(Request.didResumeNotification, request) }
    /// Posts ``Request/didSuspendNotification``.
    public func requestDidSuspend(_ request: Request) { post(Request.didSuspendNotification, request) }
    /// Posts ``Request/didCancelNotification``.
    public func requestDidCancel(_ request: Request) { post(Request.didCancelNotification, request) }
    /// Posts ``Request/didFinishNotification``.
    public func requestDidFinish(_ request: Request) { post(Request.didFinishNotification, request) }
    /// Posts ``Request/didResumeTaskNotification``.
    public func request(_ request: Request, didResumeTask task: URLSessionTask) { post(Request.didResumeTaskNotification, request) }
    /// Posts ``Request/didSuspendTaskNotification``.
    public func request(_ request: Request, didSuspendTask task: URLSessionTask) { post(Request.didSuspendTaskNotification, request) }
    /// Posts ``Request/didCancelTaskNotification``.
    public func request(_ request: Request, didCancelTask task: URLSessionTask) { post(Request.didCancelTaskNotification, request) }
    /// Posts ``Request/didCompleteTaskNotification``.
    public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        post(Request.didCompleteTaskNotification, request)
    }

    private func post(_ name: Notification.Name, _ request: Request) {
        NotificationCenter.default.post(name: name, object: request, userInfo: [Notification.requestKey: request])
    }
}

extension Request {
    /// A request was resumed.
    public static let didResumeNotification = Notification.Name("openmoya.notification.name.request.didResume")
    /// A request was suspended.
    public static let didSuspendNotification = Notification.Name("openmoya.notification.name.request.didSuspend")
    /// A request was cancelled.
    public static let didCancelNotification = Notification.Name("openmoya.notification.name.request.didCancel")
    /// A request has called all of its handlers.
    public static let didFinishNotification = Notification.Name("openmoya.notification.name.request.didFinish")
    /// An attempt is sent, or goes on after it was suspended.
    public static let didResumeTaskNotification = Notification.Name("openmoya.notification.name.request.didResumeTask")
    /// An attempt that is under way was suspended.
    public static let didSuspendTaskNotification = Notification.Name("openmoya.notification.name.request.didSuspendTask")
    /// An attempt that is under way was cancelled.
    public static let didCancelTaskNotification = Notification.Name("openmoya.notification.name.request.didCancelTask")
    /// An attempt's transfer ended.
    public static let didCompleteTaskNotification = Notification.Name("openmoya.notification.name.request.didCompleteTask")
}

extension Notification {
    static let requestKey = "openmoya.notification.key.request"

    /// The request that a notification of ``AlamofireNotifications`` is about.
    public var request: Request? { userInfo?[Self.requestKey] as? Request }
}
