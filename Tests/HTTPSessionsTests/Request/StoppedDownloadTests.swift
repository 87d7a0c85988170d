// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A download that breaks off or is cancelled, and how it goes on.
@Suite(.timeLimit(.minutes(1)))
struct StoppedDownloadTests {
    private let session = Session.alone()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let content = String(repeating: "0123456789", count: 5000)
    private static let half = 25_000

    /// The first response breaks off in the middle; the second is what `answer` makes of a range request.
    private func breakingServer(
        _ fields: FieldList = ["ETag": "\"v1\"", "Accept-Ranges": "bytes"],
        answer: @escaping @Sendable (RecordedRequest) -> ScriptedResponse
    ) throws -> TestServer {
        let server = try TestServer(handler: answer)
        server.enqueue(.ok(Self.content, fields: fields).closed(at: .responseBody(Self.half)))
        return server
    }

    private static func rest(_ request: RecordedRequest) -> ScriptedResponse {
        let range = request.fields["Range"] ?? ""
        let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
        return .status(
            206, fields: ["Content-Range": "bytes \(start)-\(content.utf8.count - 1)/\(content.utf8.count)", "ETag": "\"v1\""],
            String(content.dropFirst(start)))
    }

    @Test func `a download that breaks off goes on where it stopped`() async throws {
        let server = try breakingServer { Self.rest($0) }

        let failed = await session.download(server.url("/"), to: folder.destination("a.txt")).response()
        let resumeData = try #require(failed.resumeData)
        let request = session.download(resumingWith: resumeData, to: folder.destination("a.txt"))
        let response = await request.response()

        #expect(failed.error?.isSessionTaskError == true)
        #expect(failed.fileURL == nil)
        #expect(response.error == nil)
        #expect(folder.text("a.txt") == Self.content)
        let start = try #require(server.requests[1].fields["Range"])
        #expect(start.hasPrefix("bytes=") && start.hasSuffix("-") && start != "bytes=0-")
        #expect(server.requests[1].fields.values("If-Range") == ["\"v1\""])
    }

    @Test func `a representation that has changed comes whole`() async throws {
        let server = try breakingServer { _ in .ok("another version", fields: ["ETag": "\"v2\""]) }

        let failed = await session.download(server.url("/")).response()
        let response = await session.download(resumingWith: try #require(failed.resumeData), to: folder.destination("a.txt")).response()

        #expect(response.error == nil)
        #expect(folder.text("a.txt") == "another version")
    }

    @Test func `another part than the one asked for is an error, not content`() async throws {
        let server = try breakingServer { _ in .status(206, fields: ["Content-Range": "bytes 0-3/50000"], "0123") }

        let failed = await session.download(server.url("/")).response()
        let response = await session.download(resumingWith: try #require(failed.resumeData), to: folder.destination("a.txt")).response()

        #expect(response.error?.httpError?.kind == .malformedResponse)
        #expect(folder.text("a.txt") == nil)
        #expect(response.resumeData == nil)
    }

    @Test func `a continued download that breaks off again goes on again`() async throws {
        let server = try breakingServer { Self.rest($0) }

        let first = await session.download(server.url("/")).response()
        server.enqueue(.reset)
        let second = await session.download(resumingWith: try #require(first.resumeData)).response()
        let third = await session.download(resumingWith: try #require(second.resumeData), to: folder.destination("a.txt")).response()

        #expect(second.error != nil)
        #expect(third.error == nil)
        #expect(folder.text("a.txt") == Self.content)
    }

    @Test func `a retry of a continued download goes on where it stopped`() async throws {
        let server = try breakingServer { Self.rest($0) }
        let first = await session.download(server.url("/")).response()
        server.enqueue(.reset)
        let retrier = Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }

        let response = await session.download(
            resumingWith: try #require(first.resumeData), interceptor: retrier, to: folder.destination("a.txt")
        ).response()

        #expect(response.error == nil)
        #expect(folder.text("a.txt") == Self.content)
        #expect(server.requestCount == 3)
    }

    @Test(arguments: [
        ["ETag": "W/\"weak\"", "Accept-Ranges": "bytes"], ["ETag": "\"v1\""], ["Accept-Ranges": "bytes"], [:] as FieldList,
    ])
    func `a failed download that cannot go on leaves nothing`(fields: FieldList) async throws {
        let server = try breakingServer(fields) { _ in .ok }

        let request = session.download(server.url("/"))
        let response = await request.response()

        #expect(response.error != nil)
        #expect(response.resumeData == nil)
        #expect(request.lastTemporaryURL.map { FileManager.default.fileExists(atPath: $0.path) } == false)
    }

    @Test func `a retry leaves nothing of the attempt that broke off`() async throws {
        let server = try breakingServer { _ in .ok("content") }
        let files = EventRecorder<URL?>()
        let retrier = Retrier { request, _, _, completion in
            files.record((request as? DownloadRequest)?.lastTemporaryURL)
            completion(request.retryCount < 1 ? .retry : .doNotRetry)
        }

        let response = await session.download(server.url("/"), interceptor: retrier, to: folder.destination("a.txt")).response()

        #expect(response.error == nil)
        let file = try #require(files.events.first ?? nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `resume data that is not ours is refused`() async throws {
        let response = await session.download(resumingWith: Data("nonsense".utf8)).response()

        #expect(response.error?.isCreateURLRequestError == true)
    }

    @Test func `resume data whose file is gone is refused`() async throws {
        let server = try breakingServer { Self.rest($0) }
        let failed = await session.download(server.url("/")).response()
        let data = try #require(failed.resumeData)
        try ResumePoint(data).removeFile()

        let response = await session.download(resumingWith: data).response()

        #expect(response.error?.isCreateURLRequestError == true)
        #expect(server.requestCount == 1)
    }

    @Test func `of two downloads that go on from the same data one goes on, and the other fails`() async throws {
        let (heads, contents) = (TestGate(), TestGate())
        let server = try breakingServer { Self.rest($0).stalled(by: heads).stalled(by: contents, at: .responseBody(100)) }
        let failed = await session.download(server.url("/")).response()
        let data = try #require(failed.resumeData)

        let responses = await withTaskGroup(of: AFDownloadResponse<Data>.self) { group in
            for _ in 0..<2 { group.addTask { [session] in await session.download(resumingWith: data).serializingData().response } }
            _ = try? await server.waitForRequests(count: 3)
            heads.open()
            let first = await group.next()
            contents.open()
            return await group.reduce(into: [first].compactMap(\.self)) { $0.append($1) }
        }

        #expect(responses.compactMap(\.value).map(\.count) == [Self.content.count])
        #expect(responses.compactMap(\.error).map(\.isSessionTaskError) == [true])
    }

    @Test func `resume data holds no credentials`() async throws {
        let server = try breakingServer { Self.rest($0) }
        var urlRequest = URLRequest(url: server.url("/"))
        urlRequest.setValue("Bearer my-token", forHTTPHeaderField: "Authorization")
        urlRequest.setValue("mine", forHTTPHeaderField: "X-Mine")

        let failed = await session.download(urlRequest).response()
        let data = try #require(failed.resumeData)
        _ = await session.download(resumingWith: data).serializingData().response

        #expect(!String(decoding: data, as: UTF8.self).contains("my-token"))
        #expect(server.requests[1].fields.values("X-Mine") == ["mine"])
    }

    // MARK: Cancelling

    /// A download of which some bytes have arrived, and which goes no further.
    private func stalled(_ server: TestServer) async throws -> DownloadRequest {
        let arrived = EventRecorder<Int64>()
        let request = session.download(server.url("/"), to: folder.destination("a.txt"))
        request.downloadProgress(queue: .global()) { arrived.record($0.completedUnitCount) }
        request.resume()
        _ = try await arrived.wait { $0.contains { $0 > 0 } }
        return request
    }

    private func stallingServer(_ gate: TestGate) throws -> TestServer {
        let server = try TestServer { Self.rest($0) }
        server.enqueue(
            .ok(Self.content, fields: ["ETag": "\"v1\"", "Accept-Ranges": "bytes"]).stalled(by: gate, at: .responseBody(Self.half)))
        return server
    }

    @Test func `cancelling leaves nothing`() async throws {
        let gate = TestGate()
        let server = try stallingServer(gate)
        defer { server.close() }
        let request = try await stalled(server)

        request.cancel()
        let response = await request.response()

        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(response.resumeData == nil)
        #expect(request.lastTemporaryURL.map { FileManager.default.fileExists(atPath: $0.path) } == false)
        gate.open()
    }

    @Test func `cancelling with resume data keeps what has arrived`() async throws {
        let gate = TestGate()
        let server = try stallingServer(gate)
        let request = try await stalled(server)
        let handed = EventRecorder<Data?>()

        request.cancel { handed.record($0) }
        let response = await request.response()
        let data = try #require(try await handed.wait(for: 1)[0])
        let resumed = await session.download(resumingWith: data, to: folder.destination("b.txt")).response()

        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(response.resumeData == data)
        #expect(request.resumeData == data)
        #expect(resumed.error == nil)
        #expect(folder.text("b.txt") == Self.content)
        gate.open()
    }

    @Test func `whoever cancels a download that is over is told so`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let request = session.download(server.url("/"), to: folder.destination("a.txt"))
        _ = await request.response()
        let handed = EventRecorder<Data?>()

        request.cancel { handed.record($0) }
        request.cancel { handed.record($0) }

        #expect(try await handed.wait(for: 2) == [nil, nil])
    }

    @Test func `a download that is cancelled before it began hands over no resume data`() async throws {
        let session = Session.alone(startRequestsImmediately: false)
        let handed = EventRecorder<Data?>()

        session.download("http://127.0.0.1:9/").cancel { handed.record($0) }

        #expect(try await handed.wait(for: 1) == [nil])
    }
}
