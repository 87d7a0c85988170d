// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import SAPFoundation

/// A delegate that writes down what becomes of downloads, and reads each file while it is there.
final class DownloadDelegate: SAPURLSessionDelegate {
    enum Event: Equatable, Sendable {
        case response
        case became
        case resumed(at: Int64, of: Int64)
        case data
        case finished(Data?)
        case completed(Bool)
    }

    let events = EventRecorder<Event>()
    let taskIDs = EventRecorder<UUID>()
    let files = EventRecorder<URL>()
    private let disposition: SAPURLSession.ResponseDisposition

    init(answering disposition: SAPURLSession.ResponseDisposition = .allow) { self.disposition = disposition }

    func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        events.record(.response)
        taskIDs.record(dataTask.taskID)
        completionHandler(disposition)
    }

    func sapURLSession(_ session: SAPURLSession, dataTask: SAPURLSessionTask, didBecome downloadTask: SAPURLSessionDownloadTask) {
        events.record(.became)
        taskIDs.record(downloadTask.taskID)
    }

    func sapURLSession(
        _ session: SAPURLSession, downloadTask: SAPURLSessionDownloadTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
    ) { events.record(.resumed(at: fileOffset, of: expectedTotalBytes)) }

    func sapURLSession(_ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive data: Data) { events.record(.data) }

    func sapURLSession(_ session: SAPURLSession, downloadTask: SAPURLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        events.record(.finished(try? Data(contentsOf: location)))
        files.record(location)
        taskIDs.record(downloadTask.taskID)
    }

    func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?) {
        events.record(.completed(error == nil))
        taskIDs.record(task.taskID)
    }
}
