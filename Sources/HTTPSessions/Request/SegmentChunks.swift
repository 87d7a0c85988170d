// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Sends the segments of a form that has streams among them, one after the other.
///
/// Files and streams are read on a queue of their own, since a read may block.
final class SegmentChunks: HTTPBodyChunks {
    private struct State: @unchecked Sendable {  // the streams and the handle are used on the queue only
        var segments: ArraySlice<MultipartSegments.Segment>
        var reader: Reader?
        var isCancelled = false
    }

    /// A segment that is being read.
    private enum Reader {
        case file(FileHandle, URL, rest: UInt64)
        case stream(InputStream, length: UInt64, count: UInt64)
    }

    private static let chunkLength = 262_144
    private let queue = DispatchQueue(label: "openmoya.form-stream")
    private let state: Locked<State>

    init(_ segments: [MultipartSegments.Segment]) {
        state = Locked(State(segments: segments[...]))
    }

    func nextChunk(completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        queue.async {
            completion(Result { try self.read() })
        }
    }

    func cancel() {
        queue.async {
            let reader = self.state.withLock { state in
                state.isCancelled = true
                defer { state.reader = nil }
                return state.reader
            }
            if let reader { Self.close(reader) }
        }
    }

    /// On the queue, which is the only one to change the state; the lock is there for the compiler's sake as much as for ours.
    private func read() throws -> Data? {
        while true {
            let (segment, reader, isCancelled) = state.withLock { state in
                (state.segments.first, state.reader, state.isCancelled)
            }
            if isCancelled { return nil }
            switch (reader, segment) {
            case (nil, nil):
                return nil
            case (nil, .data(let data)?):
                advance(to: nil)
                if !data.isEmpty { return data }
            case (nil, .file(let url, let length)?):
                guard let handle = try? FileHandle(forReadingFrom: url) else {
                    throw AFError.multipartEncodingFailed(reason: .bodyPartFileNotReachable(at: url))
                }
                keep(.file(handle, url, rest: length))
            case (nil, .stream(let stream, let length)?):
                stream.open()
                keep(.stream(stream, length: length, count: 0))
            case (.file(let handle, let url, let rest)?, _):
                if let data = try Self.read(handle, url, rest: rest) {
                    keep(.file(handle, url, rest: rest - UInt64(data.count)))
                    return data
                }
                advance(to: nil)
            case (.stream(let stream, let length, let count)?, _):
                if let data = try Self.read(stream, length: length, count: count) {
                    keep(.stream(stream, length: length, count: count + UInt64(data.count)))
                    return data
                }
                advance(to: nil)
            }
        }
    }

    private func keep(_ reader: Reader) { state.withLock { $0.reader = reader } }

    private func advance(to reader: Reader?) {
        let old = state.withLock { state in
            state.segments = state.segments.dropFirst()
            defer { state.reader = reader }
            return state.reader
        }
        if let old { Self.close(old) }
    }

    private static func close(_ reader: Reader) {
        switch reader {
        case .file(let handle, _, _): try? handle.close()
        case .stream(let stream, _, _): stream.close()
        }
    }

    private static func read(_ handle: FileHandle, _ url: URL, rest: UInt64) throws -> Data? {
        let data = try handle.read(upToCount: chunkLength) ?? Data()
        guard UInt64(data.count) <= rest, rest == 0 || !data.isEmpty else {
            throw HTTPError(
                .bodyLengthMismatch, attempting: "sending the file \(url.lastPathComponent)",
                "its length changed while it was being sent; send a copy that nobody writes to")
        }
        return data.isEmpty ? nil : data
    }

    /// `streamError` is not asked for: its getter traps on Linux.
    private static func read(_ stream: InputStream, length: UInt64, count: UInt64) throws -> Data? {
        var bytes = [UInt8](repeating: 0, count: chunkLength)
        let read = stream.read(&bytes, maxLength: chunkLength)
        guard read >= 0 else {
            throw HTTPError(
                .bodyUnreadable, attempting: "reading a stream of the form", "the stream reports an error or could not be opened")
        }
        let total = count + UInt64(read)
        guard read == 0 ? total == length : total <= length else {
            throw AFError.multipartEncodingFailed(
                reason: .inputStreamReadFailed(error: AFError.UnexpectedInputStreamLength(bytesExpected: length, bytesRead: total)))
        }
        return read == 0 ? nil : Data(bytes[..<read])
    }
}
