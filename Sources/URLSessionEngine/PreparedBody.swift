// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// A request's body in a form that a `URLSession` takes.
enum PreparedBody {
    case none
    case data(Data)
    case file(URL)
    /// One that has to be read first: into memory or a file on Linux, through a stream elsewhere.
    case chunks(any HTTPBodyChunks)

    init(_ body: HTTPBody?, attempting attempt: String) throws(HTTPError) {
        guard let body else {
            self = .none
            return
        }
        switch body.source {
        case .chunks(let makeChunks):
            self = .chunks(makeChunks())
        case .segments(let all):
            let segments = all.filter { $0.length > 0 || $0.isFile }
            for segment in segments { try segment.checkFile(attempting: attempt) }
            if segments.count == 1, case .file(let url, let length) = segments[0], length > 0 {
                self = .file(url)
            } else if segments.contains(where: { $0.isFile && $0.length > 0 }) {
                self = .chunks(SegmentChunks(segments, attempting: attempt))
            } else {
                self = .data(Self.joined(segments))
            }
        }
    }

    private static func joined(_ segments: [HTTPBody.Segment]) -> Data {
        var joined = Data()
        for case .data(let data) in segments {
            if joined.isEmpty { joined = data } else { joined.append(data) }
        }
        return joined
    }
}

extension HTTPBody {
    /// What is wrong with the body's files after it was sent: one that was written to meanwhile was not sent as it is.
    func fileFault(attempting attempt: String) -> HTTPError? {
        guard case .segments(let segments) = source else { return nil }
        for segment in segments {
            do throws(HTTPError) { try segment.checkFile(attempting: attempt) } catch { return error }
        }
        return nil
    }
}

extension HTTPBody.Segment {
    var isFile: Bool {
        if case .file = self { return true }
        return false
    }

    /// Throws unless the file is there and has the length that it had when the body was made.
    func checkFile(attempting attempt: String) throws(HTTPError) {
        guard case .file(let url, let length) = self else { return }
        guard case .file(_, let present) = try HTTPBody.Segment.contents(of: url), present == length else {
            throw HTTPError(
                .bodyLengthMismatch, attempting: attempt,
                "the file \(url.lastPathComponent) to send no longer has the \(length) bytes that it had; do not write to it meanwhile")
        }
    }
}
