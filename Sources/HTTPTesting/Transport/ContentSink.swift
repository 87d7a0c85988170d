// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Where a scripted transfer's content goes, as its disposition says.
struct ContentSink {
    enum Verdict {
        /// The piece is put away.
        case keep
        /// The piece is the receiver's.
        case deliver
        /// The receiver wants nothing further; that is no error.
        case stop
    }

    private var disposition = ContentDisposition.discard(limit: .max)
    private var content = Data()
    private var file: FileHandle?
    private(set) var byteCount: Int64 = 0

    mutating func begin(_ disposition: ContentDisposition, attempt: String) throws(HTTPError) {
        self.disposition = disposition
        guard case .file(let url, let appending) = disposition else { return }
        do {
            if !appending || !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
            file = try FileHandle(forWritingTo: url)
            try file?.seekToEnd()
        } catch {
            throw HTTPError(
                .destinationNotWritable, attempting: attempt, "the file for the content cannot be written", underlyingError: error)
        }
    }

    mutating func take(_ piece: Data, attempt: String) throws(HTTPError) -> Verdict {
        byteCount += Int64(piece.count)
        switch disposition {
        case .collect(let limit):
            guard content.count + piece.count <= limit else {
                throw HTTPError(.contentTooLarge, attempting: attempt, "the content is longer than \(limit) bytes")
            }
            content.append(piece)
            return .keep
        case .file:
            do { try file?.write(contentsOf: piece) } catch {
                throw HTTPError(
                    .destinationNotWritable, attempting: attempt, "the file for the content cannot be written", underlyingError: error)
            }
            return .keep
        case .stream: return .deliver
        case .discard(let limit): return byteCount > limit ? .stop : .keep
        case .wait, .cancel: return .stop
        }
    }

    mutating func outcome(error: HTTPError?) -> TransferOutcome {
        try? file?.close()
        file = nil
        return TransferOutcome(error: error, content: content, bytesReceived: byteCount)
    }
}
