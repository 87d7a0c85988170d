// SPDX-License-Identifier: MIT

import Foundation

/// Pulls an asynchronous sequence, one chunk each time the transport wants one.
final class SequenceChunks: HTTPBodyChunks {
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
        let former = state.withLock { state in
            let former = state
            switch former {
            case .idle, .wanted: state = .wanted(completion)
            case .waiting: state = .idle
            case .cancelled: break
            }
            return former
        }
        if case .waiting(let continuation) = former { continuation.resume(returning: completion) }
    }

    func cancel() {
        let former = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        if case .waiting(let continuation) = former { continuation.resume(returning: nil) }
        puller.withLock { $0 }?.cancel()
    }

    deinit { cancel() }
}
