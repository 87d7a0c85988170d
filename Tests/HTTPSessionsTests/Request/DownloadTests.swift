// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct DownloadTests {
    private let session = Session.alone()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func destination(_ name: String, _ options: DownloadRequest.Options = []) -> DownloadRequest.Destination {
        let url = folder.url.appendingPathComponent(name)
        return { _, _ in (url, options) }
    }

    /// The temporary files of a request, as its destination was shown them.
    private func recording(
        _ files: EventRecorder<URL>, _ destination: @escaping DownloadRequest.Destination
    ) -> DownloadRequest.Destination {
        { temporaryURL, response in
            files.record(temporaryURL)
            return destination(temporaryURL, response)
        }
    }

    private func text(_ name: String) -> String? { try? String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8) }

    // MARK: Destinations

    @Test func `the content is moved to its destination, with nothing left where it was`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let files = EventRecorder<URL>()

        let request = session.download(server.url("/"), to: recording(files, destination("a.txt")))
        let response = await request.response()

        #expect(response.value == folder.url.appendingPathComponent("a.txt"))
        #expect(response.response?.statusCode == 200)
        #expect(text("a.txt") == "content")
        #expect(files.events.count == 1)
        #expect(files.events.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    }

    @Test func `without a destination the file outlives the request`() async throws {
        let server = try TestServer { _ in .ok("content") }

        let url = try await session.download(server.url("/")).serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: url) }

        #expect(try String(contentsOf: url, encoding: .utf8) == "content")
    }

    @Test func `a destination that returns the temporary URL keeps the file there`() async throws {
        let server = try TestServer { _ in .ok("content") }

        let url = try await session.download(server.url("/"), to: { ($1.statusCode == 200 ? $0 : $0, []) }).serializingDownloadedFileURL()
            .value
        defer { try? FileManager.default.removeItem(at: url) }

        #expect(try String(contentsOf: url, encoding: .utf8) == "content")
    }

    @Test func `an existing file is replaced only if that was asked for`() async throws {
        let server = try TestServer { _ in .ok("new") }
        let existing = try folder.file("a.txt", "old")

        let refused = await session.download(server.url("/"), to: destination("a.txt")).response()
        #expect(text("a.txt") == "old")
        let replaced = await session.download(server.url("/"), to: destination("a.txt", .removePreviousFile)).response()

        guard case .downloadedFileMoveFailed(let error, let source, existing)? = refused.error else {
            Issue.record("another error: \(String(describing: refused.error))")
            return
        }
        #expect((error as? CocoaError)?.code == .fileWriteFileExists)
        #expect(!FileManager.default.fileExists(atPath: source.path))
        #expect(refused.value == nil)
        #expect(replaced.error == nil)
        #expect(text("a.txt") == "new")
    }

    @Test func `missing folders are made only if that was asked for`() async throws {
        let server = try TestServer { _ in .ok("content") }

        let refused = await session.download(server.url("/"), to: destination("x/y/a.txt")).response()
        let made = await session.download(server.url("/"), to: destination("z/y/a.txt", .createIntermediateDirectories)).response()

        #expect(refused.error?.isDownloadedFileMoveError == true)
        #expect(made.error == nil)
        #expect(folder.names == ["z"])
        #expect(text("z/y/a.txt") == "content")
    }

    @Test(.enabled(if: getuid() != 0, "the superuser may write anywhere"))
    func `a folder that may not be written to is an error`() async throws {
        let server = try TestServer { _ in .ok("content") }
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }

        let response = await session.download(server.url("/"), to: destination("a.txt")).response()

        #expect(response.error?.isDownloadedFileMoveError == true)
    }

    @Test func `a destination below a file is an error that leaves nothing`() async throws {
        let server = try TestServer { _ in .ok("content") }
        _ = try folder.file("a.txt", "a file, not a folder")
        let files = EventRecorder<URL>()

        let response = await session.download(
            server.url("/"), to: recording(files, destination("a.txt/b.txt", [.createIntermediateDirectories]))
        ).response()

        #expect(response.error?.isDownloadedFileMoveError == true)
        #expect(folder.names == ["a.txt"])
        #expect(files.events.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    }

    @Test func `a destination that is no file is an error`() async throws {
        let server = try TestServer { _ in .ok("content") }

        let response = await session.download(server.url("/"), to: { _, _ in (URL(string: "https://a.test/b")!, []) }).response()

        #expect(response.error?.isDownloadedFileMoveError == true)
    }

    @Test func `a 404 lands too, before it is judged`() async throws {
        let server = try TestServer { _ in .status(404, "not here") }

        let request = session.download(server.url("/"), to: destination("a.txt")).validate()
        let response = await request.response()

        #expect(response.error?.responseCode == 404)
        #expect(response.fileURL == folder.url.appendingPathComponent("a.txt"))
        #expect(text("a.txt") == "not here")
    }

    @Test func `a response without content makes an empty file`() async throws {
        let server = try TestServer { _ in .noContent }

        let response = await session.download(server.url("/"), to: destination("a.txt")).response()

        #expect(response.error == nil)
        #expect(text("a.txt") == "")
    }

    @Test func `the suggested destination never leaves its folder`() async throws {
        let server = try TestServer { _ in .ok("content", fields: ["Content-Disposition": #"attachment; filename="../../evil.txt""#]) }
        let names = EventRecorder<String>()
        let suggestion = DownloadRequest.suggestedDownloadDestination(for: .cachesDirectory, in: .userDomainMask)
        let folder = folder.url

        let destination: DownloadRequest.Destination = { temporaryURL, response in
            let (url, options) = suggestion(temporaryURL, response)
            names.record(url.deletingLastPathComponent().lastPathComponent + "/" + url.lastPathComponent)
            return (folder.appendingPathComponent("safe"), options)
        }
        _ = await session.download(server.url("/a/b.txt"), to: destination).response()

        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0].lastPathComponent
        #expect(names.events.count == 1)
        #expect(names.events.allSatisfy { $0.hasPrefix("\(caches)/") && $0.hasSuffix("evil.txt") })
    }

    @Test func `a retry replaces what the attempt before it has put at the destination`() async throws {
        let server = try TestServer()
        server.enqueue(.status(503, "busy"), .ok("content"))
        let session = Session.alone(
            interceptor: Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) })

        let response = await session.download(server.url("/"), to: destination("a.txt")).validate().response()

        #expect(response.error == nil)
        #expect(text("a.txt") == "content")
    }

    // MARK: Failures and resuming

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

        let failed = await session.download(server.url("/"), to: destination("a.txt")).response()
        let resumeData = try #require(failed.resumeData)
        let request = session.download(resumingWith: resumeData, to: destination("a.txt"))
        let response = await request.response()

        #expect(failed.error?.isSessionTaskError == true)
        #expect(failed.fileURL == nil)
        #expect(response.error == nil)
        #expect(text("a.txt") == Self.content)
        let start = try #require(server.requests[1].fields["Range"])
        #expect(start.hasPrefix("bytes=") && start.hasSuffix("-") && start != "bytes=0-")
        #expect(server.requests[1].fields.values("If-Range") == ["\"v1\""])
    }

    @Test func `a representation that has changed comes whole`() async throws {
        let server = try breakingServer { _ in .ok("another version", fields: ["ETag": "\"v2\""]) }

        let failed = await session.download(server.url("/")).response()
        let response = await session.download(resumingWith: try #require(failed.resumeData), to: destination("a.txt")).response()

        #expect(response.error == nil)
        #expect(text("a.txt") == "another version")
    }

    @Test func `another part than the one asked for is an error, not content`() async throws {
        let server = try breakingServer { _ in .status(206, fields: ["Content-Range": "bytes 0-3/50000"], "0123") }

        let failed = await session.download(server.url("/")).response()
        let response = await session.download(resumingWith: try #require(failed.resumeData), to: destination("a.txt")).response()

        #expect(response.error?.httpError?.kind == .malformedResponse)
        #expect(text("a.txt") == nil)
        #expect(response.resumeData == nil)
    }

    @Test func `a continued download that breaks off again goes on again`() async throws {
        let server = try breakingServer { Self.rest($0) }

        let first = await session.download(server.url("/")).response()
        server.enqueue(.reset)
        let second = await session.download(resumingWith: try #require(first.resumeData)).response()
        let third = await session.download(resumingWith: try #require(second.resumeData), to: destination("a.txt")).response()

        #expect(second.error != nil)
        #expect(third.error == nil)
        #expect(text("a.txt") == Self.content)
    }

    @Test func `a retry of a continued download goes on where it stopped`() async throws {
        let server = try breakingServer { Self.rest($0) }
        let first = await session.download(server.url("/")).response()
        server.enqueue(.reset)
        let retrier = Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }

        let response = await session.download(
            resumingWith: try #require(first.resumeData), interceptor: retrier, to: destination("a.txt")
        ).response()

        #expect(response.error == nil)
        #expect(text("a.txt") == Self.content)
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

        let response = await session.download(server.url("/"), interceptor: retrier, to: destination("a.txt")).response()

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
        let request = session.download(server.url("/"), to: destination("a.txt"))
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
        let resumed = await session.download(resumingWith: data, to: destination("b.txt")).response()

        #expect(response.error?.isExplicitlyCancelledError == true)
        #expect(response.resumeData == data)
        #expect(request.resumeData == data)
        #expect(resumed.error == nil)
        #expect(text("b.txt") == Self.content)
        gate.open()
    }

    @Test func `whoever cancels a download that is over is told so`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let request = session.download(server.url("/"), to: destination("a.txt"))
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

    @Test func `progress ends at the whole`() async throws {
        let server = try TestServer { _ in .ok(Self.content) }
        let counts = EventRecorder<Int64>()

        let request = session.download(server.url("/"), to: destination("a.txt"))
        request.downloadProgress(queue: DispatchQueue(label: "test")) { counts.record($0.completedUnitCount) }
        _ = await request.response()

        let seen = try await counts.wait { $0.last == 50_000 }
        #expect(seen == seen.sorted())
        #expect(request.downloadProgress.fractionCompleted == 1)
        #expect(request.downloadProgress.totalUnitCount == 50_000)
    }
}

extension DownloadRequest {
    /// What a handler without a serializer is called with.
    func response() async -> AFDownloadResponse<URL?> {
        await callbackValue { callback in
            response(queue: .global()) { callback($0) }
        }
    }
}
