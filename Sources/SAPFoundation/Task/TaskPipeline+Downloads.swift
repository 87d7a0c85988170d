// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Content that goes into a file; on the pipeline's queue unless said otherwise.
extension TaskPipeline {
    /// What the caller holds for the download, if this is one.
    var downloadTask: SAPURLSessionDownloadTask? { becameDownload ?? task as? SAPURLSessionDownloadTask }

    /// Where the download goes on, if it continues another one.
    private var resumePoint: ResumePoint? {
        if case .resumed(.success(let point)) = task.content { point } else { nil }
    }

    func becomeDownload(_ response: HTTPURLResponse) {
        if downloadTask == nil {
            guard case .delegate = task.delivery else {
                return complete(
                    response: response,
                    error: SAPURLSessionPipelineError.unsupported(
                        "A task whose completion handler takes data cannot become a download; make a download task, or one without a handler."
                    ))
            }
            let download = SAPURLSessionDownloadTask(standingFor: task)
            becameDownload = download
            session.delegateQueue.addOperation { [self] in delegate?.sapURLSession(session, dataTask: task, didBecome: download) }
        }
        accept(response)
    }

    /// The response is accepted.
    func download(_ response: HTTPURLResponse) {
        guard let attempt, let head = attempt.head else { return }
        guard let point = resumePoint else { return download(into: TemporaryFile.next()) }
        switch point.fit(of: head) {
        case .continues:
            do {
                let file = try point.takeUp()
                announceResuming(at: point.length, response)
                download(into: file, appending: true)
            } catch {
                complete(response: response, error: SAPURLSessionPipelineError.invalidResumeData(error.description))
            }
        case .startsOver:
            point.removeFile()
            download(into: TemporaryFile.next())
        case .isMismatched:
            point.removeFile()
            complete(response: response, error: ResumePoint.mismatch(attempting: "\(task)").urlError)
        }
    }

    private func download(into file: URL, appending: Bool = false) {
        downloadedFile = file
        attempt?.collect(into: file, appending: appending)
    }

    private func announceResuming(at offset: Int64, _ response: HTTPURLResponse) {
        guard case .delegate = task.delivery, let downloadTask else { return }
        let total = response.expectedContentLength < 0 ? -1 : offset + response.expectedContentLength
        session.delegateQueue.addOperation { [self] in
            delegate?.sapURLSession(session, downloadTask: downloadTask, didResumeAtOffset: offset, expectedTotalBytes: total)
        }
    }

    // MARK: Resume data

    /// From any thread.
    func cancel(producingResumeData answer: @escaping @Sendable (Data?) -> Void) {
        queue.async { [self] in
            if outcome == nil, downloadedFile != nil, let attempt {
                // Its end says how far it has come.
                resumeDataHandler = answer
                return attempt.cancel()
            }
            let untouched = outcome == nil ? resumePoint?.encoded : nil
            answer(untouched)
            if outcome != nil { return conclude() }
            complete(response: task.response, error: URLError(.cancelled).with(resumeData: untouched))
        }
    }

    /// With what the download can go on; then the file stays.
    func resumeData(after attempt: Attempt) -> Data? {
        guard let file = downloadedFile else { return resumePoint?.encoded }
        guard let request = task.originalRequest, let head = attempt.head,
            let data = ResumePoint(request: request, response: head, fileURL: file)?.encoded
        else { return nil }
        downloadedFile = nil
        return data
    }

    func giveResumeData(_ data: Data?) {
        resumeDataHandler?(data)
        resumeDataHandler = nil
    }

    /// Whoever cancels a download that goes on, before anything of the rest has come, does not want the beginning either.
    func forgetUntouchedPart() {
        if attempt != nil, downloadedFile == nil { resumePoint?.removeFile() }
    }
}
