// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Reads a request's body to its end, as sending it would.
struct BodyReader {
    private let request: HTTPRequest

    init(_ request: HTTPRequest) { self.request = request }

    func readAll(progress: (Int64) -> Void) async throws -> Data {
        guard let body = request.body else { return Data() }
        var bytes = Data()
        switch body.source {
        case .segments(let segments):
            for segment in segments {
                bytes.append(try read(segment))
                progress(Int64(bytes.count))
            }
        case .chunks(let makeChunks):
            let chunks = makeChunks()
            while let chunk = try await next(of: chunks) {
                bytes.append(chunk)
                progress(Int64(bytes.count))
            }
        }
        if let length = body.length, length != Int64(bytes.count) {
            throw HTTPError(
                .bodyLengthMismatch, attempting: request.redactedDescription,
                "the body has \(bytes.count) bytes, not the \(length) announced")
        }
        return bytes
    }

    private func read(_ segment: HTTPBody.Segment) throws -> Data {
        switch segment {
        case .data(let data): return data
        case .file(let url, let length):
            let data: Data
            do { data = try Data(contentsOf: url) } catch {
                throw HTTPError(
                    .bodyUnreadable, attempting: request.redactedDescription, "the file to send cannot be read", underlyingError: error)
            }
            guard Int64(data.count) == length else {
                throw HTTPError(.bodyLengthMismatch, attempting: request.redactedDescription, "the file to send has changed its length")
            }
            return data
        }
    }

    /// The next chunk; a cancelled task does not wait for it.
    private func next(of chunks: any HTTPBodyChunks) async throws -> Data? {
        let waiting = Watched<Result<Data?, any Error>?>(nil)
        chunks.nextChunk { result in waiting.change { $0 = result } }
        do {
            try await waiting.wait { $0 != nil }
        } catch {
            chunks.cancel()
            throw error
        }
        do {
            return try waiting.read { $0 }?.get()
        } catch let error as HTTPError {
            throw error
        } catch {
            throw HTTPError(
                .bodyUnreadable, attempting: request.redactedDescription, "the body's producer failed", underlyingError: error)
        }
    }
}
