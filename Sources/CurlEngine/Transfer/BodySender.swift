// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import Glibc
import HTTPMessages

/// Brings a body's bytes to libcurl's read callback, from the start as often as they are wanted.
struct BodySender {
    enum Answer {
        /// That many bytes were written; 0 is the end.
        case bytes(Int)
        /// There is nothing yet: a chunk is being made.
        case wait
        case failed(HTTPError.Kind, String)
        /// Whoever makes the chunks has met an error.
        case producerFailed(any Error)
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

    /// - Parameter request: asks `chunks` for the next one, in this `attempt`.
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

    mutating func read(into buffer: UnsafeMutableRawBufferPointer, transfer: Transfer) -> Answer {
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
    mutating func chunkArrived(_ result: Result<Data?, any Error>, attempt: Int, transfer: Transfer) {
        guard attempt == self.attempt, case .chunks(var chunks) = reader else { return }
        reader = .segments(SegmentReader([]))
        chunks.arrived(result, attempt: attempt, transfer: transfer)
        reader = .chunks(chunks)
    }

    /// Begins again; `false` if the body can be sent only once and some of it is gone.
    mutating func rewind() -> Bool {
        if case .chunks(var chunks) = reader {
            guard chunks.hasBegun else { return true }
            guard body.replay == .always else { return false }
            chunks.cancel()
        }
        close()
        attempt += 1
        sentCount = 0
        reader = Self.reader(for: body)
        return true
    }

    /// Lets go of files and tells a producer that nothing more is wanted.
    mutating func close() {
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

/// Reads pieces that are there before they are sent.
private struct SegmentReader {
    private let segments: [HTTPBody.Segment]
    private var index = 0
    private var offset: Int64 = 0
    private var descriptor: Int32 = -1

    init(_ segments: [HTTPBody.Segment]) { self.segments = segments }

    /// Fills the buffer as far as it goes, across pieces, since each call costs libcurl a call of its own to the system.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> BodySender.Answer {
        var filled = 0
        while filled < buffer.count, index < segments.count {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count: Int
            switch segments[index] {
            case .data(let data):
                count = min(room.count, data.count - Int(offset))
                data.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<(Int(offset) + count)])) }
            case .file(let file, let length):
                switch readFile(file, length: length, into: room) {
                case .bytes(let read): count = read
                case let other: return other
                }
            }
            filled += count
            offset += Int64(count)
            if offset == segments[index].length { advance() }
        }
        return .bytes(filled)
    }

    private mutating func readFile(_ file: URL, length: Int64, into room: UnsafeMutableRawBufferPointer) -> BodySender.Answer {
        let name = file.lastPathComponent
        if descriptor < 0 {
            descriptor = file.withUnsafeFileSystemRepresentation { path in path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1 }
            guard descriptor >= 0 else { return .failed(.bodyUnreadable, "\(name) cannot be opened: \(SystemError.text(errno))") }
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        }
        let wanted = Int(min(Int64(room.count), length - offset))
        var count = 0
        if wanted > 0 {
            repeat { count = pread(descriptor, room.baseAddress, wanted, off_t(offset)) } while count < 0 && errno == EINTR
            guard count >= 0 else { return .failed(.bodyUnreadable, "reading \(name) failed: \(SystemError.text(errno))") }
            guard count > 0 else { return Self.changed(name, "shorter") }
        }
        if offset + Int64(count) == length {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else {
                return .failed(.bodyUnreadable, "reading \(name) failed: \(SystemError.text(errno))")
            }
            guard Int64(status.st_size) == length else { return Self.changed(name, Int64(status.st_size) > length ? "longer" : "shorter") }
        }
        return .bytes(count)
    }

    private static func changed(_ name: String, _ how: String) -> BodySender.Answer {
        .failed(.bodyLengthMismatch, "\(name) became \(how) while it was sent; send a copy that nobody writes to")
    }

    private mutating func advance() {
        close()
        index += 1
        offset = 0
    }

    mutating func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}

/// Reads a body that is made while it is sent, one chunk ahead.
///
/// The last bytes of a body of known length are held until the producer says that there are no more, so that a body that is too long
/// fails before the server takes it for complete.
private struct ChunkReader {
    private enum Next {
        case unasked
        case asked
        case chunk(Data)
        case end
        case failed(any Error)
    }

    private let chunks: any HTTPBodyChunks
    private let length: Int64?
    private var current = Data()
    private var offset = 0
    private var next = Next.unasked
    /// Of all chunks that were asked for.
    private var arrivedCount: Int64 = 0
    private var isCancelled = false
    private(set) var hasBegun = false

    init(_ chunks: any HTTPBodyChunks, length: Int64?) {
        self.chunks = chunks
        self.length = length
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer, attempt: Int, transfer: Transfer) -> BodySender.Answer {
        if offset == current.count {
            switch next {
            case .unasked:
                ask(attempt: attempt, transfer: transfer)
                return .wait
            case .asked: return .wait
            case .failed(let error): return .producerFailed(error)
            case .end:
                if let length, arrivedCount < length {
                    return .failed(.bodyLengthMismatch, "the content ended after \(arrivedCount) of its \(length) bytes")
                }
                return .bytes(0)
            case .chunk(let data):
                current = data
                offset = 0
                next = .unasked
                ask(attempt: attempt, transfer: transfer)
            }
        }
        if let length, arrivedCount > length {
            return .failed(.bodyLengthMismatch, "the content is longer than its \(length) bytes")
        }
        var count = min(buffer.count, current.count - offset)
        if let length, arrivedCount == length, offset + count == current.count {
            switch next {
            case .end: break
            case .failed(let error): return .producerFailed(error)
            case .unasked, .asked, .chunk: count -= 1
            }
            guard count > 0 else { return .wait }
        }
        current.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)])) }
        offset += count
        return .bytes(count)
    }

    mutating func arrived(_ result: Result<Data?, any Error>, attempt: Int, transfer: Transfer) {
        switch result {
        case .success(let data?) where data.isEmpty:
            next = .unasked
            ask(attempt: attempt, transfer: transfer)
        case .success(let data?):
            arrivedCount += Int64(data.count)
            next = .chunk(data)
        case .success(nil): next = .end
        case .failure(let error): next = .failed(error)
        }
    }

    private mutating func ask(attempt: Int, transfer: Transfer) {
        guard !isCancelled else { return }
        hasBegun = true
        next = .asked
        chunks.nextChunk { [weak transfer] result in
            guard let transfer else { return }
            transfer.multi.loop.post(.bodyChunk(transfer, attempt: attempt, result))
        }
    }

    mutating func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        // "Not after the end": a producer that has said its last word is left alone.
        switch next {
        case .end, .failed: return
        case .unasked, .asked, .chunk: chunks.cancel()
        }
    }
}
#endif
