// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages

/// Reads a body that is made while it is sent, one chunk ahead.
///
/// The last bytes of a body of known length are held until the producer says that there are no more, so that a body that is too long
/// fails before the server takes it for complete.
struct ChunkReader {
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
            case .failed(let error): return Self.failure(error)
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
            case .failed(let error): return Self.failure(error)
            case .unasked, .asked, .chunk: count -= 1
            }
            guard count > 0 else { return .wait }
        }
        current.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)])) }
        offset += count
        return .bytes(count)
    }

    /// A producer that speaks of its failure as an ``HTTPError`` is taken at its word.
    private static func failure(_ error: any Error) -> BodySender.Answer {
        guard let error = error as? HTTPError else {
            return .failed(.bodyUnreadable, "making the content to send failed; see the underlying error", underlyingError: error)
        }
        return .failed(error.kind, error.reason, underlyingError: error)
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
