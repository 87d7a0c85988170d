// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SAPURLSession {
    // MARK: Uploads

    /// A task, suspended, that sends `bodyData` instead of the request's own body; as often as it takes.
    ///
    /// GET and HEAD fail with ``SAPURLSessionError/unexpectedHTTPMethod``.
    public func uploadTask(
        with request: URLRequest, from bodyData: Data, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionTask {
        SAPURLSessionTask(self, request, .handler(completionHandler), .data(bodyData))
    }

    /// The same, with the response for the delegate.
    public func uploadTask(with request: URLRequest, from bodyData: Data) -> SAPURLSessionTask {
        SAPURLSessionTask(self, request, .delegate, .data(bodyData))
    }

    /// A task, suspended, that sends the file's content; the file is read while it is sent, each time that it is.
    public func uploadTask(
        with request: URLRequest, fromFile fileURL: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionTask {
        SAPURLSessionTask(self, request, .handler(completionHandler), .file(fileURL))
    }

    /// The same, with the response for the delegate.
    public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> SAPURLSessionTask {
        SAPURLSessionTask(self, request, .delegate, .file(fileURL))
    }

    // MARK: Downloads

    /// A task, suspended, whose content goes into a temporary file, which is removed when `completionHandler` returns: move it away.
    public func downloadTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionDownloadTask {
        SAPURLSessionDownloadTask(self, request, .download(completionHandler))
    }

    /// The same for a GET request to `url`.
    public func downloadTask(
        with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    // MARK: All tasks

    /// Calls `completionHandler`, on ``delegateQueue``, with the tasks that are resumed and not over.
    public func getAllTasks(completionHandler: @escaping @Sendable ([SAPURLSessionTask]) -> Void) {
        delegateQueue.addOperation { completionHandler(self.runningTasks) }
    }
}

/// A task whose content goes into a file.
public final class SAPURLSessionDownloadTask: SAPURLSessionTask, @unchecked Sendable {  // nothing of its own
    /// Cancels. Downloads of this session cannot be resumed, so `completionHandler` is given `nil`.
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        cancel()
        session.delegateQueue.addOperation { completionHandler(nil) }
    }
}
