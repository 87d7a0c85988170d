// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The delegate that a `URLSession` must have for a ``URLSessionTransport`` to run on it.
///
/// One delegate serves one session. Tasks of that session which the transport did not make are handled as by a session without a delegate;
/// a subclass may override the methods for them, and must call `super` for all others.
open class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {  // its state is behind a lock
    private let transfers = Locked<[ObjectIdentifier: URLSessionTransfer]>([:])
    private let isInvalid = Locked(false)

    /// A delegate without a session.
    public override init() { super.init() }

    var sessionIsInvalid: Bool { isInvalid.withLock { $0 } }

    func register(_ transfer: URLSessionTransfer, for task: URLSessionTask) {
        transfers.withLock { $0[ObjectIdentifier(task)] = transfer }
    }

    private func transfer(of task: URLSessionTask) -> URLSessionTransfer? {
        transfers.withLock { $0[ObjectIdentifier(task)] }
    }

    /// Foundation says that no tasks can be made any more; further transfers end with ``HTTPError/Kind/shutDown``.
    open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        isInvalid.withLock { $0 = true }
    }

    /// A head arrived.
    open func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let transfer = transfer(of: dataTask), let response = response as? HTTPURLResponse else { return completionHandler(.allow) }
        transfer.taskDidReceive(response, completion: completionHandler)
    }

    /// A piece of content arrived.
    open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.taskDidReceive(data)
    }

    /// A piece of the body was sent.
    open func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(of: task)?.taskDidSend(total: totalBytesSent)
    }

    /// A redirect arrived. A transfer's is not followed: it is the response.
    open func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let transfer = transfer(of: task) else { return completionHandler(request) }
        transfer.taskWillRedirect { completionHandler(nil) }
    }

    /// A challenge arrived. A transfer's is not answered, except in the TLS handshake: it is the response.
    open func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let transfer = transfer(of: task) else { return completionHandler(.performDefaultHandling, nil) }
        transfer.taskDidReceive(challenge, completion: completionHandler)
    }

    #if canImport(Darwin)
    /// Foundation wants to send the body again.
    open func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(transfer(of: task)?.makeBodyStream())
    }

    /// The task was measured.
    open func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        transfer(of: task)?.taskDidCollect(metrics)
    }
    #endif

    /// The task is over; nothing comes behind it.
    open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
        transfer?.taskDidComplete(error, response: task.response as? HTTPURLResponse)
    }
}
