// SPDX-License-Identifier: MIT

import Foundation

/// How far a request has come; the last one of a request that succeeds carries the response.
public struct ProgressResponse: @unchecked Sendable {  // the progress object is a snapshot of its own that nothing changes any more
    /// The response; nil until the request has ended, and also after it if the request failed.
    public let response: Response?

    /// Bytes done and expected, as they were when this was made; nil for stubs.
    public let progressObject: Progress?

    /// A step of a request.
    public init(progress: Progress? = nil, response: Response? = nil) {
        progressObject = progress
        self.response = response
    }

    /// 1 once completed; before, the share of the expected bytes that is done, or 0 while nobody knows how many are expected.
    public var progress: Double {
        if completed { return 1 }
        guard let progressObject, progressObject.totalUnitCount > 0 else { return 0 }
        return progressObject.fractionCompleted
    }

    /// Whether the response is there.
    public var completed: Bool { response != nil }
}
