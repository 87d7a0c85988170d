// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Segments, one chunk after the other; files are read on a queue of its own.
final class SegmentChunks: HTTPBodyChunks {
    private struct Position: @unchecked Sendable {  // touched only on the queue
        var segments: ArraySlice<HTTPBody.Segment>
        /// The file that the first segment is, and how much of it is still to come.
        var file: (handle: FileHandle, remaining: Int64)?
        var isCancelled = false
    }

    private static let chunkLength: Int64 = 262_144
    private let queue = DispatchQueue(label: "openmoya.body-segments")
    private let position: Locked<Position>
    private let attempt: String

    init(_ segments: [HTTPBody.Segment], attempting attempt: String) {
        position = Locked(Position(segments: segments[...]))
        self.attempt = attempt
    }

    func nextChunk(completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        queue.async { [self] in
            let chunk = position.withLock { position in
                Result { try read(&position) }
            }
            completion(chunk)
        }
    }

    func cancel() {
        queue.async { [position] in
            position.withLock { position in
                position.isCancelled = true
                position.file = nil
            }
        }
    }

    private func read(_ position: inout Position) throws -> Data? {
        while !position.isCancelled, let segment = position.segments.first {
            switch segment {
            case .data(let data):
                position.segments.removeFirst()
                if !data.isEmpty { return data }
            case .file(let url, let length):
                if position.file == nil { position.file = (try open(url), length) }
                guard let file = position.file, file.remaining > 0 else {
                    try position.file?.handle.close()
                    position.file = nil
                    position.segments.removeFirst()
                    continue
                }
                let chunk = try file.handle.read(upToCount: Int(min(file.remaining, Self.chunkLength))) ?? Data()
                guard !chunk.isEmpty else {
                    throw HTTPError(
                        .bodyLengthMismatch, attempting: attempt, "the file \(url.lastPathComponent) became shorter while it was sent")
                }
                position.file?.remaining -= Int64(chunk.count)
                return chunk
            }
        }
        return nil
    }

    private func open(_ url: URL) throws -> FileHandle {
        do {
            return try FileHandle(forReadingFrom: url)
        } catch {
            throw HTTPError(
                .bodyUnreadable, attempting: attempt, "the file \(url.lastPathComponent) to send cannot be opened", underlyingError: error)
        }
    }
}
