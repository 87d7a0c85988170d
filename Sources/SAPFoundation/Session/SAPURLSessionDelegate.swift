// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What observers and a session's delegate have in common: one set of requirements with one set of defaults, so that a class may be both.
///
/// Every handler is to be called exactly once, now or later, from any thread. Without a call the task waits until it is cancelled.
public protocol SAPURLSessionEventHandling: AnyObject {
    /// Whether it is asked about the certificates of https servers, too; read for each message, on any thread. Default: no. Only the engine
    /// over libcurl asks.
    ///
    /// If somebody who is registered, or the delegate, says yes, the first message to each server takes a connection more, on which nothing
    /// is sent, and the challenge has `serverCertificates`. `.use` with a `ServerTrustCredential` agrees to exactly these, whatever the
    /// system thinks of them; `.performDefaultHandling` from all agrees to them if the system does. The answer holds for this chain, host
    /// and port as long as the session lives; a trust policy of `SAPURLSession(connections:)` holds besides.
    var answersServerTrust: Bool { get }

    /// A server or proxy asks for credentials, or a server shows its certificates. Default: not mine.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void)

    /// A response redirects. Default: follow.
    ///
    /// What must not cross to another origin (`Authorization`, `Proxy-Authorization`, `Cookie`, `X-CSRF-Token`) has been taken out of
    /// `request`.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (SAPURLSession.HTTPRedirectDisposition) -> Void)

    /// A response's head has arrived; its content waits for the answer. Default: allow.
    func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void)

    /// A native task was made: for the first message, and for each one that repeats it. Default: nothing.
    func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCreate sessionTask: URLSessionTask)
}

extension SAPURLSessionEventHandling {
    /// No.
    public var answersServerTrust: Bool { false }

    /// Not mine.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void
    ) { completionHandler(.performDefaultHandling) }

    /// Follows.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (SAPURLSession.HTTPRedirectDisposition) -> Void
    ) { completionHandler(.follow(request)) }

    /// Allows.
    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) { completionHandler(.allow) }

    /// Does nothing.
    public func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCreate sessionTask: URLSessionTask) {}
}

/// The app's view of a session: what has been settled. It is asked about challenges and redirects when every observer has passed.
///
/// All methods are called on ``SAPURLSession/delegateQueue``. The session holds its delegate until it has become invalid.
public protocol SAPURLSessionDelegate: SAPURLSessionEventHandling {
    /// The session has ended; the last call. Default: nothing.
    func sapURLSession(_ session: SAPURLSession, didBecomeInvalidWithError error: (any Error)?)

    /// For source that has it: sessions do not run in the background, so that nobody calls it. Default: nothing.
    func sapURLSessionDidFinishEvents(forBackgroundURLSession session: SAPURLSession)

    /// Content of a task without a completion handler. Default: nothing.
    func sapURLSession(_ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive data: Data)

    /// A task without a completion handler has ended. Default: nothing.
    func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?)

    /// The task's content is a stream that has been read, or there is none yet, and has to be sent: after a challenge, a redirect that
    /// keeps it, or a resend. The handler takes a stream that was not opened. Default: there is none, and the task fails with
    /// ``SAPURLSessionPipelineError/bodyNotReplayable``.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)

    /// `.becomeDownload` was answered to the response of `dataTask`, a task without a completion handler: from here on `downloadTask`,
    /// which has the same ``SAPURLSessionTask/taskID``, stands for it. Default: nothing.
    func sapURLSession(_ session: SAPURLSession, dataTask: SAPURLSessionTask, didBecome downloadTask: SAPURLSessionDownloadTask)

    /// A download goes on where an earlier one stopped, `fileOffset` bytes into the file. `expectedTotalBytes` is -1 if the response does
    /// not tell. Default: nothing.
    func sapURLSession(
        _ session: SAPURLSession, downloadTask: SAPURLSessionDownloadTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64)

    /// The content of a download without a completion handler is complete, and in the file at `location` until this method returns: move it
    /// away. Default: nothing.
    func sapURLSession(_ session: SAPURLSession, downloadTask: SAPURLSessionDownloadTask, didFinishDownloadingTo location: URL)
}

extension SAPURLSessionDelegate {
    /// Does nothing.
    public func sapURLSession(_ session: SAPURLSession, didBecomeInvalidWithError error: (any Error)?) {}
    /// Does nothing.
    public func sapURLSessionDidFinishEvents(forBackgroundURLSession session: SAPURLSession) {}
    /// Does nothing.
    public func sapURLSession(_ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive data: Data) {}
    /// Does nothing.
    public func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?) {}
    /// There is none.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { completionHandler(nil) }
    /// Does nothing.
    public func sapURLSession(_ session: SAPURLSession, dataTask: SAPURLSessionTask, didBecome downloadTask: SAPURLSessionDownloadTask) {}
    /// Does nothing.
    public func sapURLSession(
        _ session: SAPURLSession, downloadTask: SAPURLSessionDownloadTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
    ) {}
    /// Does nothing.
    public func sapURLSession(
        _ session: SAPURLSession, downloadTask: SAPURLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}
}
