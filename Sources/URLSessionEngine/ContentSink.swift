// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Where a response's content goes once the receiver has decided; used by the one who drains the transfer's machine.
enum ContentSink {
    case collecting(Data, limit: Int)
    case file(ContentFile)
    case streaming
    case discarding(count: Int, limit: Int)

    /// - Returns: `nil` for the two dispositions that name no place, `.wait` and `.cancel`.
    init?(_ disposition: ContentDisposition, attempting attempt: String) throws(HTTPError) {
        switch disposition {
        case .collect(let limit): self = .collecting(Data(), limit: limit)
        case .file(let url, let appending):
            self = .file(try ContentFile(at: url, appending: appending, attempting: attempt))
        case .stream: self = .streaming
        case .discard(let limit): self = .discarding(count: 0, limit: limit)
        case .wait, .cancel: return nil
        }
    }

    /// What becomes of a piece of content.
    enum Reception {
        case isTaken
        case isForReceiver
        /// No more of it is wanted.
        case isEnough
    }

    mutating func take(_ bytes: Data, attempting attempt: String) throws(HTTPError) -> Reception {
        switch self {
        case .collecting(var content, let limit):
            guard bytes.count <= limit - content.count else {
                throw HTTPError(
                    .contentTooLarge, attempting: attempt,
                    "the content is longer than the \(limit) bytes that may be held in memory; stream it, or raise the limit")
            }
            // The stored copy goes first, so that appending does not copy.
            self = .streaming
            content.append(bytes)
            self = .collecting(content, limit: limit)
            return .isTaken
        case .file(let file):
            try file.write(bytes)
            return .isTaken
        case .streaming: return .isForReceiver
        case .discarding(let count, let limit):
            self = .discarding(count: count + bytes.count, limit: limit)
            return count + bytes.count > limit ? .isEnough : .isTaken
        }
    }

    /// - Returns: what was collected, if anything was to be.
    func end() throws(HTTPError) -> Data? {
        switch self {
        case .collecting(let content, _): return content
        case .file(let file):
            try file.close()
            return nil
        case .streaming, .discarding: return nil
        }
    }
}
