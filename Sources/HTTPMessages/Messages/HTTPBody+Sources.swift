// SPDX-License-Identifier: MIT

import Foundation

extension HTTPBody {
    /// A body read from `stream`, which the transport opens and closes; it can be sent once.
    /// - Parameter length: in bytes, if it is known. A stream that turns out to be shorter or longer fails the transfer.
    public init(_ stream: InputStream, length: Int64? = nil) {
        let chunks = StreamChunks(stream)
        self.init(length: length, replay: .once) { chunks }
    }

    /// A body of the chunks of an asynchronous sequence; it can be sent once.
    /// - Parameter length: in bytes, if it is known. A sequence that turns out to be shorter or longer fails the transfer.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int64? = nil)
    where Chunks.Element == Data {
        self.init(length: length, replay: .once) { SequenceChunks(chunks) }
    }
}

/// Reads an `InputStream` on a queue of its own, since a read may block.
package final class StreamChunks: HTTPBodyChunks {
    private struct Box: @unchecked Sendable {  // touched only on the queue
        let stream: InputStream
        var isOpen = false
    }

    private static let chunkLength = 65_536
    private let queue = DispatchQueue(label: "openmoya.body-stream")
    private let box: Locked<Box>

    package init(_ stream: InputStream) {
        box = Locked(Box(stream: stream))
    }

    package func nextChunk(completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        queue.async { [box] in
            let stream = box.withLock { box in
                defer { box.isOpen = true }
                return (box.stream, box.isOpen)
            }
            completion(Self.read(stream.0, isOpen: stream.1))
        }
    }

    package func cancel() {
        queue.async { [box] in
            box.withLock { $0.stream }.close()
        }
    }

    /// One read. `streamError` is not asked for: its getter traps on Linux.
    private static func read(_ stream: InputStream, isOpen: Bool) -> Result<Data?, any Error> {
        if !isOpen { stream.open() }
        var bytes = [UInt8](repeating: 0, count: chunkLength)
        let count = stream.read(&bytes, maxLength: chunkLength)
        if count > 0 { return .success(Data(bytes[..<count])) }
        let failed = count < 0 || stream.streamStatus == .error
        stream.close()
        guard !failed else {
            return .failure(
                HTTPError(.bodyUnreadable, attempting: "reading the stream to send", "the stream reports an error or could not be opened"))
        }
        return .success(nil)
    }
}

/// Pulls an asynchronous sequence, one chunk each time the transport wants one.
private final class SequenceChunks: HTTPBodyChunks {
    typealias Completion = @Sendable (Result<Data?, any Error>) -> Void
    private enum State {
        case idle
        case wanted(Completion)
        /// The puller waits for the next request.
        case waiting(CheckedContinuation<Completion?, Never>)
        case cancelled
    }

    private let state = Locked(State.idle)
    private let puller = Locked<Task<Void, Never>?>(nil)

    init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Data {
        let task = Task { [state] in
            var iterator = chunks.makeAsyncIterator()
            while let completion = await Self.nextRequest(state) {
                do {
                    // Empty chunks mean nothing to a body, but would look like its end to a transport.
                    var chunk = try await iterator.next()
                    while let some = chunk, some.isEmpty { chunk = try await iterator.next() }
                    completion(.success(chunk))
                    if chunk == nil { return }
                } catch {
                    completion(.failure(error))
                    return
                }
            }
        }
        puller.withLock { $0 = task }
    }

    private static func nextRequest(_ state: Locked<State>) async -> Completion? {
        await withCheckedContinuation { continuation in
            let answer: Completion?? = state.withLock { state in
                switch state {
                case .idle, .waiting:
                    state = .waiting(continuation)
                    return .none
                case .wanted(let completion):
                    state = .idle
                    return .some(completion)
                case .cancelled: return .some(nil)
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func nextChunk(completion: @escaping Completion) {
        let waiting: CheckedContinuation<Completion?, Never>? = state.withLock { state in
            switch state {
            case .idle, .wanted:
                state = .wanted(completion)
                return nil
            case .waiting(let continuation):
                state = .idle
                return continuation
            case .cancelled: return nil
            }
        }
        waiting?.resume(returning: completion)
    }

    func cancel() {
        let waiting: CheckedContinuation<Completion?, Never>? = state.withLock { state in
            defer { state = .cancelled }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: nil)
        puller.withLock { $0 }?.cancel()
    }

    deinit { cancel() }
}
