// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Something of which there may be a copy for another session.
public protocol OptionalCopying {
    /// A fresh one, or `nil` if it cannot be copied. Default: `nil`.
    func copy() -> Any?
}

extension OptionalCopying {
    /// `nil`.
    public func copy() -> Any? { nil }
}

/// A plug-in for a session: changes requests, answers challenges, notices responses that ask for a log-in and has the request sent again.
///
/// ```
/// resume ─▶ willSend ─▶ didCreate ─▶ network ─▶ redirect ─▶ challenge ─▶ response ─▶ completion
///              ▲                                   │           (again)       │
///              └───────────── resend ──────────────┴─────────────────────────┘
/// ```
///
/// Observers are asked in the order of registration, each after the one before it has called its handler; header observers are best
/// registered before authentication observers. One session calls its observers on one serial queue, so a plain class will do; an observer
/// that several sessions share must guard its state. An observer that belongs to the main actor has to hop there by itself. A hook that is
/// not implemented means: next, please.
public protocol SAPURLSessionObserving: SAPURLSessionEventHandling, OptionalCopying {
    /// The request is about to be sent, for the first time or after a resend; no native task exists yet. Default: sent as it is.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void)

    /// The task has ended, whatever was sent for it. Default: next.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void)

    /// The session has ended. Default: next.
    func sapURLSession(
        _ session: SAPURLSession, didBecomeInvalidWithError error: (any Error)?, completionHandler: @escaping @Sendable () -> Void)

    /// For source that has it: sessions do not run in the background, so that nobody calls it. Default: next.
    func sapURLSessionDidFinishEvents(
        forBackgroundURLSession session: SAPURLSession, completionHandler: @escaping @Sendable () -> Void)
}

extension SAPURLSessionObserving {
    /// Sends it as it is.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) { completionHandler(.use(request)) }

    /// Goes on.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void
    ) { completionHandler() }

    /// Goes on.
    public func sapURLSession(
        _ session: SAPURLSession, didBecomeInvalidWithError error: (any Error)?, completionHandler: @escaping @Sendable () -> Void
    ) { completionHandler() }

    /// Goes on.
    public func sapURLSessionDidFinishEvents(
        forBackgroundURLSession session: SAPURLSession, completionHandler: @escaping @Sendable () -> Void
    ) { completionHandler() }
}
