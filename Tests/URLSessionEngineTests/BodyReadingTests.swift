// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing

@testable import URLSessionEngine

@Suite(.timeLimit(.minutes(1))) struct BodyReadingTests {
    private func prepared(_ spool: BodySpool, _ chunks: [Data], length: Int64? = nil) async -> Result<PreparedBody, HTTPError> {
        await awaitingCallback(onCancel: {}) { callback in
            spool.read(ListedChunks(chunks), length: length, onProgress: {}, completion: { callback(SendableResult(result: $0)) })
        }.result
    }

    private struct SendableResult: @unchecked Sendable {  // handed over once
        let result: Result<PreparedBody, HTTPError>
    }

    @Test func `a short body is kept in memory`() async throws {
        let spool = BodySpool(attempting: "PUT")
        guard case .data(let data) = try await prepared(spool, [Data("one ".utf8), Data("two".utf8)]).get() else {
            Issue.record("it is not in memory")
            return
        }
        #expect(data == Data("one two".utf8))
    }

    @Test func `a long body goes into a file that only its user can read, and that is removed`() async throws {
        let spool = BodySpool(attempting: "PUT")
        let chunks = (0..<5).map { Data(repeating: UInt8($0), count: 400_000) }
        guard case .file(let file) = try await prepared(spool, chunks).get() else {
            Issue.record("it is in no file")
            return
        }
        let content = try Data(contentsOf: file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(content == chunks.reduce(into: Data()) { $0.append($1) })
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)

        spool.discard()
        spool.discard()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(arguments: [(5 as Int64, "only 7 bytes", false), (9, "only 7 bytes", true)])
    func `a body that breaks its word is an error that says how`(length: Int64, words: String, isShort: Bool) async {
        let spool = BodySpool(attempting: "PUT")
        let result = await prepared(spool, [Data("one ".utf8), Data("two".utf8)], length: length)

        guard case .failure(let error) = result else {
            Issue.record("the body was accepted")
            return
        }
        #expect(error.kind == .bodyLengthMismatch)
        #expect(error.reason.contains(words) == isShort)
    }

    @Test func `segments are read in order, and a file that shrank is an error`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("segments-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: 7, count: 300_000).write(to: file)
        let segments: [HTTPBody.Segment] = [
            .data(Data([1])), .file(file, length: 300_000), .data(Data()), .file(file, length: 2), .data(Data([2])),
        ]

        let read = try await collect(SegmentChunks(segments, attempting: "PUT"))
        #expect(read == Data([1]) + Data(repeating: 7, count: 300_002) + Data([2]))

        let shrunk = SegmentChunks([.file(file, length: 300_001)], attempting: "PUT")
        let error = await #expect(throws: HTTPError.self) { try await collect(shrunk) }
        #expect(error?.kind == .bodyLengthMismatch)
    }

    private func collect(_ chunks: SegmentChunks) async throws -> Data {
        var collected = Data()
        while true {
            let chunk = await awaitingCallback(onCancel: {}) { callback in
                chunks.nextChunk { callback(SendableChunk(result: $0)) }
            }.result
            guard let bytes = try chunk.get() else { return collected }
            collected.append(bytes)
        }
    }

    private struct SendableChunk: @unchecked Sendable {  // handed over once
        let result: Result<Data?, any Error>
    }
}

/// Chunks that are there at once.
private final class ListedChunks: HTTPBodyChunks {
    private let chunks: Locked<ArraySlice<Data>>

    init(_ chunks: [Data]) { self.chunks = Locked(chunks[...]) }

    func nextChunk(completion: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        completion(.success(chunks.withLock { $0.popFirst() }))
    }

    func cancel() { chunks.withLock { $0 = [] } }
}
