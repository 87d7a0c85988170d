// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Pulls a body's chunks one after the other, counts them, and hands each to `consume` on its own queue, where waiting is allowed.
final class BodyReader: Sendable {
    typealias Completion = @Sendable (Result<Void, HTTPError>) -> Void

    private let chunks: any HTTPBodyChunks
    private let length: Int64?
    private let attempt: String
    private let queue = DispatchQueue(label: "openmoya.body-reader")
    private let consume: @Sendable (Data) throws(HTTPError) -> Void
    private let completion: Completion
    private let state = Locked((count: Int64(0), isOver: false))

    /// - Parameter completion: called once, unless ``cancel()`` comes first.
    init(
        _ chunks: any HTTPBodyChunks, length: Int64?, attempting attempt: String,
        consume: @escaping @Sendable (Data) throws(HTTPError) -> Void, completion: @escaping Completion
    ) {
        self.chunks = chunks
        self.length = length
        self.attempt = attempt
        self.consume = consume
        self.completion = completion
    }

    func start() { pull() }

    func cancel() {
        if end() { chunks.cancel() }
    }

    private func pull() {
        chunks.nextChunk { [self] result in
            // Never on the thread that brought the chunk: a producer that answers at once would recurse without end.
            queue.async { [self] in received(result) }
        }
    }

    private func received(_ result: Result<Data?, any Error>) {
        guard !state.withLock({ $0.isOver }) else { return }
        do throws(HTTPError) {
            switch result {
            case .success(let chunk?):
                let count = state.withLock { state in
                    state.count += Int64(chunk.count)
                    return state.count
                }
                if let length, count > length { throw mismatch(count, isComplete: false) }
                try consume(chunk)
                pull()
            case .success(nil):
                let count = state.withLock { $0.count }
                if let length, count < length { throw mismatch(count, isComplete: true) }
                if end() { completion(.success(())) }
            case .failure(let error):
                if end() { completion(.failure(unreadable(error))) }
            }
        } catch {
            guard end() else { return }
            if case .success(.some) = result { chunks.cancel() }
            completion(.failure(error))
        }
    }

    /// - Returns: whether it was not over before.
    private func end() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }

    private func mismatch(_ count: Int64, isComplete: Bool) -> HTTPError {
        HTTPError(
            .bodyLengthMismatch, attempting: attempt,
            "the body has \(isComplete ? "only" : "at least") \(count) bytes instead of the \(length ?? 0) that it said")
    }

    private func unreadable(_ error: any Error) -> HTTPError {
        if let error = error as? HTTPError { return error }
        return HTTPError(.bodyUnreadable, attempting: attempt, "the source of the body failed", underlyingError: error)
    }
}
