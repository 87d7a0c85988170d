// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The upload of a form: in memory below the threshold, else streamed from its parts.
final class MultipartUpload: UploadConvertible, @unchecked Sendable {  // the form is read under the lock only
    private let form: Locked<MultipartFormData>
    private let request: any URLRequestConvertible
    private let threshold: UInt64
    private let contentType: String
    private let contentLength: UInt64

    init(_ form: MultipartFormData, request: any URLRequestConvertible, threshold: UInt64) {
        self.form = Locked(form)
        self.request = request
        self.threshold = threshold
        contentType = form.contentType
        contentLength = form.contentLength
    }

    /// The form's own Content-Type always wins, so that the boundary in the field is the one in the content.
    func asURLRequest() throws -> URLRequest {
        var urlRequest = try request.asURLRequest()
        urlRequest.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return urlRequest
    }

    func createUploadable() throws -> UploadRequest.Uploadable {
        .data(try form.withLock { try $0.encode() })
    }

    /// `nil` for a form that is small enough to be sent from memory.
    var streamedForm: StreamedForm? {
        contentLength < threshold ? nil : StreamedForm(form: form)
    }

    struct StreamedForm: Sendable {
        let form: Locked<MultipartFormData>

        func body() throws -> HTTPBody {
            try form.withLock { try $0.segments() }.body
        }
    }
}

extension MultipartSegments {
    /// The form as one body of known length. A form with a stream can be sent only once.
    var body: HTTPBody {
        let segments = segments
        if isReplayable {
            return HTTPBody(
                segments: segments.compactMap { segment in
                    switch segment {
                    case .data(let data): .data(data)
                    case .file(let url, let length): .file(url, length: Int64(length))
                    case .stream: nil
                    }
                })
        }
        let chunks = SegmentChunks(segments)
        return HTTPBody(length: length, replay: .once) { chunks }
    }
}
