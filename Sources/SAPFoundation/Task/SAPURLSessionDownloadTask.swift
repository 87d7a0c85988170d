// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A task whose content goes into a file.
public final class SAPURLSessionDownloadTask: SAPURLSessionTask, @unchecked Sendable {  // nothing of its own
    init(_ session: SAPURLSession, _ request: URLRequest, _ delivery: Delivery) {
        super.init(session, request, delivery)
    }

    init(_ session: SAPURLSession, resuming resumeData: Data, _ delivery: Delivery) {
        let point = Result { () throws(ResumePoint.Failure) in try ResumePoint(resumeData) }
        super.init(session, try? point.get().request, delivery, .resumed(point))
    }

    /// What a data task has become.
    override init(standingFor task: SAPURLSessionTask) { super.init(standingFor: task) }

    /// Cancels, and calls `completionHandler` once, on the session's `delegateQueue`, with what
    /// ``SAPURLSession/downloadTask(withResumeData:completionHandler:)`` takes.
    ///
    /// It is `nil` if nothing has arrived, if the task is over, or if the server does not allow to go on: that takes a successful GET with
    /// a strong entity tag or date, from a server that knows ranges. What has arrived stays in the temporary folder.
    public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        let answer: @Sendable (Data?) -> Void = { [session] data in session.delegateQueue.addOperation { completionHandler(data) } }
        guard becomesCancelling(), let pipeline = makePipeline() else { return answer(nil) }
        pipeline.cancel(producingResumeData: answer)
    }
}

extension URLError {
    /// With what a download that has failed can go on (`NSURLSessionDownloadTaskResumeData`, a constant that Linux lacks).
    public var resumeData: Data? { userInfo[AFError.resumeDataKey] as? Data }

    /// The same error, with resume data.
    func with(resumeData: Data?) -> URLError {
        guard let resumeData else { return self }
        return URLError(code, userInfo: userInfo.merging([AFError.resumeDataKey: resumeData]) { $1 })
    }
}
