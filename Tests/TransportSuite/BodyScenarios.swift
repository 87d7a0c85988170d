// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

extension TransportScenario {
    static let bodies: [TransportScenario] = [
        TransportScenario("a body from memory arrives with its length") { fixture in
            fixture.server.enqueue(.ok)
            let outcome = await fixture.start("POST", body: HTTPBody(Data("hello".utf8))).outcome()
            #expect(outcome.error == nil)
            let request = try #require(fixture.server.requests.first)
            #expect(request.bodyText == "hello")
            #expect(request.fields["Content-Length"] == "5")
            #expect(!request.fields.contains("Transfer-Encoding"))
            #expect(!request.fields.contains("Content-Type"), "what was not given is not made up")
        },
        TransportScenario("a body of four megabytes arrives whole") { fixture in
            fixture.server.enqueue(.ok)
            let data = pattern(4 << 20)
            let outcome = await fixture.start("PUT", body: HTTPBody(data)).outcome()
            #expect(outcome.error == nil)
            #expect(fixture.server.requests.first?.body == data)
        },
        TransportScenario("an empty body of a POST has the length 0") { fixture in
            fixture.server.enqueue(.ok, .ok)
            #expect(await fixture.start("POST", body: HTTPBody(Data())).outcome().error == nil)
            #expect(await fixture.start("POST").outcome().error == nil)
            #expect(fixture.server.requests.map { $0.fields["Content-Length"] } == ["0", "0"])
        },
        TransportScenario("a body from a file arrives whole") { fixture in
            try await withTemporaryFile(pattern(3 << 20)) { file in
                fixture.server.enqueue(.ok)
                let outcome = await fixture.start("PUT", body: try HTTPBody(contentsOf: file)).outcome()
                #expect(outcome.error == nil)
                let request = try #require(fixture.server.requests.first)
                #expect(request.body == pattern(3 << 20))
                #expect(request.fields["Content-Length"] == "\(3 << 20)")
            }
        },
        TransportScenario("an empty file is an empty body") { fixture in
            try await withTemporaryFile(Data()) { file in
                fixture.server.enqueue(.ok)
                let body = try HTTPBody(contentsOf: file)
                #expect(await fixture.start("PUT", body: body).outcome().error == nil)
                #expect(fixture.server.requests.first?.bodyByteCount == 0)
            }
        },
        TransportScenario("segments of memory and files arrive as one body") { fixture in
            try await withTemporaryFile(pattern(1 << 20)) { file in
                fixture.server.enqueue(.ok)
                let body = HTTPBody(segments: [.data(Data("<".utf8)), try .contents(of: file), .data(Data(">".utf8))])
                let outcome = await fixture.start("POST", body: body).outcome()
                #expect(outcome.error == nil)
                let request = try #require(fixture.server.requests.first)
                #expect(request.body == Data("<".utf8) + pattern(1 << 20) + Data(">".utf8))
                #expect(request.fields["Content-Length"] == "\((1 << 20) + 2)")
            }
        },
        TransportScenario("a body that is made in chunks arrives whole, its length known or not") { fixture in
            for length in [nil, 300_000] as [Int64?] {
                fixture.server.enqueue(.ok)
                let chunks = AsyncStream<Data> { continuation in
                    for _ in 0..<30 { continuation.yield(pattern(10_000)) }
                    continuation.finish()
                }
                let outcome = await fixture.start("POST", body: HTTPBody(chunks, length: length)).outcome()
                #expect(outcome.error == nil)
                let expected = (0..<30).reduce(into: Data()) { data, _ in data.append(pattern(10_000)) }
                #expect(fixture.server.requests.last?.body == expected)
            }
        },
        TransportScenario("a body from an InputStream arrives whole") { fixture in
            fixture.server.enqueue(.ok)
            let outcome = await fixture.start("POST", body: HTTPBody(InputStream(data: pattern(200_000)))).outcome()
            #expect(outcome.error == nil)
            #expect(fixture.server.requests.first?.body == pattern(200_000))
        },
        TransportScenario("chunks are sent while the next ones are made", needs: .streamedBodies) { fixture in
            fixture.server.enqueue(.ok)
            let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
            let exchange = fixture.start("POST", body: HTTPBody(chunks, length: nil))
            continuation.yield(Data("first".utf8))
            try await fixture.server.waitForBody(byteCount: 5)
            continuation.yield(Data("second".utf8))
            try await fixture.server.waitForBody(byteCount: 11)
            continuation.finish()
            #expect(await exchange.outcome().error == nil)
            #expect(fixture.server.requests.first?.fields["Transfer-Encoding"] == "chunked")
            #expect(fixture.server.requests.first?.bodyText == "firstsecond")
        },
        TransportScenario("chunks that are fewer or more than their length fail the transfer") { fixture in
            let expected: [HTTPError.Kind] = [.bodyLengthMismatch, .bodyLengthMismatch]
            var kinds: [HTTPError.Kind?] = []
            for length in [4, 20] as [Int64] {
                let server = try TestServer { _ in .ok }
                let chunks = AsyncStream<Data> { continuation in
                    continuation.yield(Data("hello world".utf8))
                    continuation.finish()
                }
                let request = HTTPRequest(method: "POST", url: server.url(), body: HTTPBody(chunks, length: length))
                kinds.append(await fixture.start(request).failure())
                server.close()
            }
            #expect(kinds == expected)
        },
        TransportScenario("chunks that fail fail the transfer") { fixture in
            struct Broken: Error {}
            let server = try TestServer { _ in .ok }
            let chunks = AsyncThrowingStream<Data, any Error> { continuation in
                continuation.yield(Data("hello".utf8))
                continuation.finish(throwing: Broken())
            }
            let request = HTTPRequest(method: "POST", url: server.url(), body: HTTPBody(chunks))
            let outcome = await fixture.start(request).outcome()
            #expect(outcome.error?.kind == .bodyUnreadable)
            #expect(outcome.error?.underlyingError is Broken)
            server.close()
        },
        TransportScenario("a file that has gone, or has another length than before, fails the transfer and nothing is sent") { fixture in
            try await withTemporaryFile(pattern(1000)) { file in
                let body = try HTTPBody(contentsOf: file)
                try pattern(1001).write(to: file)
                let longer = await fixture.start("PUT", body: body).failure()
                try pattern(10).write(to: file)
                let shorter = await fixture.start("PUT", body: body).failure()
                try FileManager.default.removeItem(at: file)
                let missing = await fixture.start("PUT", body: body).failure()
                #expect([longer, shorter, missing] == [.bodyLengthMismatch, .bodyLengthMismatch, .bodyUnreadable])
            }
            #expect(fixture.server.requestCount == 0)
        },
        TransportScenario("a response that comes before the body is read is the response") { fixture in
            fixture.server.enqueue(.status(413, "too long").early().closing())
            let exchange = fixture.start("POST", body: HTTPBody(pattern(64_000)))
            let outcome = await exchange.outcome()
            #expect(exchange.recorder.snapshot.head?.status == 413)
            #expect(outcome.error == nil)
        },
        TransportScenario("progress counts every byte sent and received") { fixture in
            fixture.server.enqueue(.repeating(Data("x".utf8), count: 300_000))
            let exchange = fixture.start("POST", body: HTTPBody(pattern(500_000)), options: TransferOptions(reportsProgress: true))
            #expect(await exchange.outcome().error == nil)
            let progress = exchange.recorder.snapshot.progress
            let last = try #require(progress.last)
            #expect(last == TransferProgress(bytesSent: 500_000, bytesToSend: 500_000, bytesReceived: 300_000, bytesToReceive: 300_000))
            #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.bytesSent <= $1.bytesSent && $0.bytesReceived <= $1.bytesReceived })
            #expect(progress.count > 2)
        },
        TransportScenario("progress that nobody asked for is not reported") { fixture in
            fixture.server.enqueue(.ok("content"))
            let exchange = fixture.start("POST", body: HTTPBody(pattern(10_000)))
            #expect(await exchange.outcome().error == nil)
            #expect(exchange.recorder.snapshot.progress.isEmpty)
        },
    ]
}

/// Bytes whose order matters.
func pattern(_ count: Int) -> Data {
    var data = Data(capacity: count + block.count)
    while data.count < count { data.append(block) }
    return data.prefix(count)
}

/// Of a length that no buffer has.
private let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

/// A file that is there while `body` runs.
func withTemporaryFile(_ content: Data, _ body: (URL) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
        let file = directory.appendingPathComponent("file")
        try content.write(to: file)
        try await body(file)
    }
}

/// A directory that is there while `body` runs.
func withTemporaryDirectory(_ body: (URL) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("transport-suite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory)
}
