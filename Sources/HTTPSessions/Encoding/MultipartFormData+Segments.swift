// SPDX-License-Identifier: MIT

import Foundation

/// A multipart form as what has to be sent one after the other: its bytes without ever being in one place.
struct MultipartSegments: @unchecked Sendable {  // a stream in here has one reader, who is whoever consumes the segments
    /// A piece of the encoded form.
    enum Segment {
        /// Boundaries and header fields, or a part from memory, not copied.
        case data(Data)
        /// A whole file. `length` is what it held when it was appended; another length is an error.
        case file(URL, length: UInt64)
        /// An unopened stream of exactly `length` bytes.
        case stream(InputStream, length: UInt64)
    }

    /// The pieces in order; empty for a form without parts.
    let segments: [Segment]
    /// The sum of the pieces' lengths: the request's `Content-Length`.
    let length: Int64
    /// Whether the form can be sent a second time: it has no stream.
    let isReplayable: Bool
}

extension MultipartFormData {
    /// The form as segments, to be streamed without building it in memory or in a file.
    /// - Throws: the first error of the `append` calls, or one that says that the form is longer than 2^63 bytes.
    func segments() throws -> MultipartSegments {
        if let firstError { throw firstError }
        guard !parts.isEmpty else { return MultipartSegments(segments: [], length: 0, isReplayable: true) }

        var segments: [MultipartSegments.Segment] = []
        var isReplayable = true
        var length: UInt64 = 0
        var delimiter = "--\(boundary)\r\n"
        for part in parts {
            var head = delimiter
            for field in part.fields { head += "\(field.name): \(field.value)\r\n" }
            head += "\r\n"
            length += UInt64(head.utf8.count)
            segments.append(.data(Data(head.utf8)))

            switch part.body {
            case .data(let data): segments.append(.data(data))
            case .file(let url, let length): segments.append(.file(url, length: length))
            case .stream(let stream, let length):
                isReplayable = false
                segments.append(.stream(stream, length: length))
            }
            // Each part's length fits in Int64, so one addition to such a sum cannot overflow.
            length += part.body.length
            guard length <= Int64.max else { throw Self.tooLong(length) }
            delimiter = "\r\n--\(boundary)\r\n"
        }
        let end = Data("\r\n--\(boundary)--\r\n".utf8)
        segments.append(.data(end))
        guard let total = Int64(exactly: length + UInt64(end.count)) else { throw Self.tooLong(length) }
        return MultipartSegments(segments: segments, length: total, isReplayable: isReplayable)
    }

    private static func tooLong(_ length: UInt64) -> AFError {
        .multipartEncodingFailed(
            reason: .inputStreamReadFailed(error: AFError.UnexpectedInputStreamLength(bytesExpected: length, bytesRead: 0)))
    }
}
