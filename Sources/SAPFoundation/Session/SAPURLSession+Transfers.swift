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

    /// A task, suspended, that sends a stream: the request's `httpBodyStream`, else what the delegate supplies. Each further time that the
    /// content has to be sent the delegate is asked for it anew (``SAPURLSessionDelegate``); without it the task fails with
    /// ``SAPURLSessionPipelineError/bodyNotReplayable``. A `Content-Length` that the request sets is the stream's length; without one the
    /// content is sent chunked.
    public func uploadTask(withStreamedRequest request: URLRequest) -> SAPURLSessionTask {
        SAPURLSessionTask(self, request, .delegate, .stream)
    }

    // MARK: Downloads

    /// A task, suspended, whose content goes into a temporary file, which is removed when `completionHandler` returns: move it away.
    ///
    /// A download that breaks off leaves, if the server allows to go on from there, what
    /// ``downloadTask(withResumeData:completionHandler:)`` takes in its error's `userInfo`, under `NSURLSessionDownloadTaskResumeData`;
    /// `URLError.resumeData` reads it.
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

    /// The same, with the file for the delegate, which has to move it away before its method returns.
    public func downloadTask(with request: URLRequest) -> SAPURLSessionDownloadTask { SAPURLSessionDownloadTask(self, request, .delegate) }

    /// The same for a GET request to `url`.
    public func downloadTask(with url: URL) -> SAPURLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

    /// A task, suspended, that goes on where a download stopped: the rest is asked for on the condition that what it belongs to has not
    /// changed (RFC 9110, 13.1.5); what has changed comes whole.
    ///
    /// Resume data of another library, or whose file in the temporary folder is gone, ends the task with
    /// ``SAPURLSessionPipelineError/invalidResumeData(_:)``; so does data with which another download goes on already, since the file is then that
    /// one's. Resume data holds neither `Authorization` nor cookies, which observers add again, but the URL and all other fields.
    public func downloadTask(
        withResumeData resumeData: Data, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionDownloadTask {
        SAPURLSessionDownloadTask(self, resuming: resumeData, .download(completionHandler))
    }

    /// The same, with the file for the delegate.
    public func downloadTask(withResumeData resumeData: Data) -> SAPURLSessionDownloadTask {
        SAPURLSessionDownloadTask(self, resuming: resumeData, .delegate)
    }

    // MARK: All tasks

    /// Calls `completionHandler`, on ``delegateQueue``, with the tasks that are resumed and not over.
    public func getAllTasks(completionHandler: @escaping @Sendable ([SAPURLSessionTask]) -> Void) {
        delegateQueue.addOperation { completionHandler(self.runningTasks) }
    }
}
