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

/// The file that content is written to.
final class ContentFile {
    private let handle: FileHandle
    private let attempt: String

    init(at url: URL, appending: Bool, attempting attempt: String) throws(HTTPError) {
        self.attempt = attempt
        guard url.isFileURL else {
            throw HTTPError(
                .destinationNotWritable, attempting: attempt, "the destination is not a file URL; use URL(fileURLWithPath:)")
        }
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (appending ? O_APPEND : O_TRUNC)
        let descriptor = open(url.path, flags, 0o644)
        guard descriptor >= 0 else {
            let code = POSIXErrorCode(rawValue: errno) ?? .EIO
            throw HTTPError(
                .destinationNotWritable, attempting: attempt,
                "the file \(url.lastPathComponent) cannot be opened for writing; check that its directory is there and writable",
                underlyingError: POSIXError(code))
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ bytes: Data) throws(HTTPError) {
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw failure(error)
        }
    }

    func close() throws(HTTPError) {
        do {
            try handle.close()
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> HTTPError {
        HTTPError(
            .destinationNotWritable, attempting: attempt, "the content could not be written to its file", underlyingError: error)
    }
}
