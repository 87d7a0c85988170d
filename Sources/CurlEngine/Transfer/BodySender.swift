// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages

/// Brings a body's bytes to libcurl's read callback, from the start as often as they are wanted.
///
/// A class, since it is large and most transfers have none.
final class BodySender {
    enum Answer {
        /// That many bytes were written; 0 is the end.
        case bytes(Int)
        /// There is nothing yet: a chunk is being made.
        case wait
        case failed(HTTPError.Kind, String, underlyingError: (any Error)? = nil)
    }

    private enum Reader {
        case segments(SegmentReader)
        case chunks(ChunkReader)
    }

    let length: Int64?
    private(set) var sentCount: Int64 = 0
    /// How often the body was begun, counted from 1.
    private(set) var attempt = 1
    private let body: HTTPBody
    private var reader: Reader

    init(_ body: HTTPBody) {
        self.body = body
        length = body.length
        reader = Self.reader(for: body)
    }

    private static func reader(for body: HTTPBody) -> Reader {
        switch body.source {
        case .segments(let segments): .segments(SegmentReader(segments))
        case .chunks(let make): .chunks(ChunkReader(make(), length: body.length))
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, transfer: Transfer) -> Answer {
        let answer: Answer
        switch reader {
        case .segments(var segments):
            answer = segments.read(into: buffer)
            reader = .segments(segments)
        case .chunks(var chunks):
            reader = .segments(SegmentReader([]))  // so that the chunks are not copied
            answer = chunks.read(into: buffer, attempt: attempt, transfer: transfer)
            reader = .chunks(chunks)
        }
        if case .bytes(let count) = answer { sentCount += Int64(count) }
        return answer
    }

    /// A chunk has been made; those of an earlier attempt are dropped.
    func chunkArrived(_ result: Result<Data?, any Error>, attempt: Int, transfer: Transfer) {
        guard attempt == self.attempt, case .chunks(var chunks) = reader else { return }
        reader = .segments(SegmentReader([]))
        chunks.arrived(result, attempt: attempt, transfer: transfer)
        reader = .chunks(chunks)
    }

    /// Begins again; `false` if the body can be sent only once and some of it is gone.
    func rewind() -> Bool {
        if case .chunks(let chunks) = reader {
            guard chunks.hasBegun else { return true }
            guard body.replay == .always else { return false }
        }
        close()
        attempt += 1
        sentCount = 0
        reader = Self.reader(for: body)
        return true
    }

    /// Lets go of files and tells a producer that nothing more is wanted.
    func close() {
        switch reader {
        case .segments(var segments):
            segments.close()
            reader = .segments(segments)
        case .chunks(var chunks):
            chunks.cancel()
            reader = .chunks(chunks)
        }
    }
}
#endif
