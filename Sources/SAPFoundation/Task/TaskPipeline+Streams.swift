// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Content that can be read only once; on the pipeline's queue.
extension TaskPipeline {
    /// Whether the request's content is a stream that was read already, or that only the delegate has.
    func needsNewStream(_ request: URLRequest) -> Bool {
        // A redirect may have made a GET of it.
        guard request.httpMethod == task.originalRequest?.httpMethod else { return false }
        guard let stream = request.httpBodyStream else {
            if case .stream = task.content { return true } else { return false }
        }
        return stream === spentStream
    }

    /// Asks the delegate for the content anew; `nil` if it has none.
    func needsNewBody(_ supply: @escaping @Sendable (HTTPBody?) -> Void) {
        askDelegate("needNewBodyStream", otherwise: GivenStream(stream: nil)) { [session, task] delegate, answer in
            delegate.sapURLSession(session, task: task, needNewBodyStream: { answer(GivenStream(stream: $0)) })
        } then: { [task] given in
            supply(given.stream.map { HTTPBody($0, length: task.originalRequest?.streamLength) })
        }
    }

    private struct GivenStream: @unchecked Sendable {  // passed on by whoever supplies it, and touched by the transport alone
        let stream: InputStream?
    }
}
