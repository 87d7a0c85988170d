// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Testing

@testable import SAPFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct DownloadTests {
    struct Download: Sendable {
        let content: Data?
        let status: Int?
        let error: (any Error)?
    }

    private static let content = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
    private static let half = 25_000
    private static let fields: FieldList = ["ETag": "\"v1\"", "Accept-Ranges": "bytes"]

    private func downloads(_ make: (@escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void) -> SAPURLSessionDownloadTask) -> (
        SAPURLSessionDownloadTask, EventRecorder<Download>
    ) {
        let recorder = EventRecorder<Download>()
        let task = make { url, response, error in
            recorder.record(
                Download(
                    content: url.flatMap { try? Data(contentsOf: $0) }, status: (response as? HTTPURLResponse)?.statusCode, error: error))
        }
        task.resume()
        return (task, recorder)
    }

    private func download(_ url: URL, by session: SAPURLSession = SAPURLSession()) async throws -> Download {
        try await downloads { session.downloadTask(with: url, completionHandler: $0) }.1.wait(for: 1)[0]
    }

    private func resume(_ data: Data, by session: SAPURLSession = SAPURLSession()) async throws -> Download {
        try await downloads { session.downloadTask(withResumeData: data, completionHandler: $0) }.1.wait(for: 1)[0]
    }

    /// The first response breaks off in the middle; the others are what `answer` makes of a range request.
    private func breakingServer(
        _ fields: FieldList = fields, answer: @escaping @Sendable (RecordedRequest) -> ScriptedResponse = { DownloadTests.rest($0) }
    ) throws -> TestServer {
        let server = try TestServer(handler: answer)
        server.enqueue(.ok(Self.content, fields: fields).closed(at: .responseBody(Self.half)))
        return server
    }

    private static func rest(_ request: RecordedRequest) -> ScriptedResponse {
        let start = Int((request.fields["Range"] ?? "").dropFirst("bytes=".count).dropLast()) ?? 0
        let rest = Data(content.dropFirst(start))
        var fields = fields
        fields.append("Content-Range", "bytes \(start)-\(content.count - 1)/\(content.count)")
        return ScriptedResponse(206, fields: fields, content: .bytes(rest))
    }

    private func waitForBytes(of task: SAPURLSessionDownloadTask) async throws {
        let pipeline = try #require(task.makePipeline())
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            let file = pipeline.queue.sync { pipeline.downloadedFile }
            let size = file.flatMap { try? FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? NSNumber }
            if (size?.int64Value ?? 0) > 0 { return }
            await Task.yield()
        }
        Issue.record("nothing has arrived")
    }

    // MARK: Resuming

    @Test func `a download that breaks off says how it can go on, and goes on where it stopped`() async throws {
        let server = try breakingServer()

        let broken = try await download(server.url("/file"))
        let data = try #require((broken.error as? URLError)?.resumeData)
        let resumed = try await resume(data)

        #expect((broken.error as? URLError)?.code == .networkConnectionLost)
        #expect(broken.content == nil)
        #expect(resumed.error == nil)
        #expect(resumed.status == 206)
        #expect(resumed.content == Self.content)
        #expect(server.requests[1].fields["Range"]?.hasPrefix("bytes=") == true)
        #expect(server.requests[1].fields.values("If-Range") == ["\"v1\""])
    }

    @Test func `what was changed meanwhile comes whole`() async throws {
        let server = try breakingServer { _ in .ok("another version", fields: ["ETag": "\"v2\""]) }

        let broken = try await download(server.url("/file"))
        let resumed = try await resume(try #require((broken.error as? URLError)?.resumeData))

        #expect(resumed.error == nil)
        #expect(resumed.content == Data("another version".utf8))
    }

    @Test func `another part than the one asked for is an error, and nothing is left to resume`() async throws {
        let server = try breakingServer { _ in .status(206, fields: ["Content-Range": "bytes 0-3/50000"], "0123") }

        let broken = try await download(server.url("/file"))
        let data = try #require((broken.error as? URLError)?.resumeData)
        let resumed = try await resume(data)
        let again = try await resume(data)

        #expect((resumed.error as? URLError)?.code == .badServerResponse)
        #expect((resumed.error as? URLError)?.resumeData == nil)
        #expect(resumed.content == nil)
        guard case .invalidResumeData(let reason)? = again.error as? SAPURLSessionPipelineError else {
            Issue.record("unexpected error: \(String(describing: again.error))")
            return
        }
        #expect(reason.contains("is gone"))
        #expect(server.requestCount == 2)
    }

    @Test func `a download that breaks off again before anything has come keeps its resume data`() async throws {
        let server = try breakingServer()
        let broken = try await download(server.url("/file"))
        let data = try #require((broken.error as? URLError)?.resumeData)
        server.enqueue(.reset)

        let again = try await resume(data)
        let resumed = try await resume(try #require((again.error as? URLError)?.resumeData))

        #expect(resumed.content == Self.content)
    }

    @Test func `of two downloads that go on from the same data one goes on, and the other is told`() async throws {
        let (heads, contents) = (TestGate(), TestGate())
        let server = try breakingServer { Self.rest($0).stalled(by: heads).stalled(by: contents, at: .responseBody(100)) }
        let broken = try await download(server.url("/file"))
        let data = try #require((broken.error as? URLError)?.resumeData)
        let session = SAPURLSession()

        let both = (0..<2).map { _ in downloads { session.downloadTask(withResumeData: data, completionHandler: $0) } }
        _ = try await server.waitForRequests(count: 3)
        heads.open()
        await withTaskGroup(of: Void.self) { group in
            for (_, recorder) in both { group.addTask { _ = try? await recorder.wait(for: 1) } }
            await group.next()
            contents.open()
        }
        let outcomes = both.map { $0.1.events[0] }

        #expect(outcomes.compactMap(\.content) == [Self.content])
        guard case .invalidResumeData? = outcomes.compactMap(\.error).first as? SAPURLSessionPipelineError else {
            Issue.record("unexpected errors: \(outcomes.map { String(describing: $0.error) })")
            return
        }
    }

    @Test(arguments: ["nonsense", #"{"version":2}"#, ""])
    func `resume data of somebody else's is a typed error, and nothing is sent`(text: String) async throws {
        let session = SAPURLSession()
        let task = session.downloadTask(withResumeData: Data(text.utf8))
        #expect(task.originalRequest == nil)

        let resumed = try await resume(Data(text.utf8), by: session)

        guard case .invalidResumeData(let reason)? = resumed.error as? SAPURLSessionPipelineError else {
            Issue.record("unexpected error: \(String(describing: resumed.error))")
            return
        }
        #expect(reason.contains("not made by this library"))
    }

    @Test func `a partial file that was tampered with is not believed`() async throws {
        let server = try breakingServer()
        let broken = try await download(server.url("/file"))
        let data = try #require((broken.error as? URLError)?.resumeData)
        let record = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let name = try #require(record["file"] as? String)
        try Data("short".utf8).write(to: FileManager.default.temporaryDirectory.appendingPathComponent(name))

        let resumed = try await resume(data)

        #expect(resumed.error as? SAPURLSessionPipelineError != nil)
        #expect(server.requestCount == 1)
    }

    @Test(arguments: [
        ["ETag": "W/\"weak\"", "Accept-Ranges": "bytes"], ["ETag": "\"v1\""], ["Accept-Ranges": "bytes"],
        [
            "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Accept-Ranges": "bytes",
        ] as FieldList,
    ])
    func `a server that does not say how to go on leaves nothing to resume`(fields: FieldList) async throws {
        let server = try breakingServer(fields)
        let broken = try await download(server.url("/file"))
        #expect(broken.error is URLError)
        #expect((broken.error as? URLError)?.resumeData == nil)
    }

    @Test func `a date of the last change serves where there is no tag`() async throws {
        let server = try breakingServer(
            ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT", "Accept-Ranges": "bytes"])

        let broken = try await download(server.url("/file"))
        let resumed = try await resume(try #require((broken.error as? URLError)?.resumeData))

        #expect(resumed.content == Self.content)
        #expect(server.requests[1].fields.values("If-Range") == ["Sun, 06 Nov 1994 08:49:37 GMT"])
    }

    @Test func `resume data holds no credentials: an observer gives them again`() async throws {
        let isFirst = Locked(true)
        let server = try TestServer { request in
            guard request.authorization == [RecordedRequest.basic("alice", "correct-horse")] else { return .challenge() }
            let breaksOff = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return breaksOff ? .ok(Self.content, fields: Self.fields).closed(at: .responseBody(Self.half)) : Self.rest(request)
        }
        let session = SAPURLSession()
        session.register(
            BasicAuthenticationObserver(
                basicCredentialDiscovery: ScriptedDiscovery(.success(.alice)), basicCredentialStore: InMemoryBasicCredentialStore()))

        let broken = try await download(server.url("/file"), by: session)
        let data = try #require((broken.error as? URLError)?.resumeData)
        let resumed = try await resume(data, by: session)

        #expect(!String(decoding: data, as: UTF8.self).contains("Authorization"))
        #expect(resumed.content == Self.content)
    }

    // MARK: Cancelling

    @Test func `cancelling hands over how far it has come, to the error as well, and the download goes on from there`() async throws {
        let gate = TestGate()
        let server = try TestServer { Self.rest($0) }
        server.enqueue(.ok(Self.content, fields: Self.fields).stalled(by: gate, at: .responseBody(Self.half)))
        let session = SAPURLSession()
        let (task, recorder) = downloads { session.downloadTask(with: server.url("/file"), completionHandler: $0) }
        try await waitForBytes(of: task)
        let handed = EventRecorder<Data?>()

        task.cancel { handed.record($0) }
        let outcome = try await recorder.wait(for: 1)[0]
        let data = try #require(try await handed.wait(for: 1)[0])
        gate.open()
        let resumed = try await resume(data, by: session)

        #expect((outcome.error as? URLError)?.code == .cancelled)
        #expect((outcome.error as? URLError)?.resumeData == data)
        #expect(task.state == .completed)
        #expect(resumed.content == Self.content)
        #expect(handed.events.count == 1)
    }

    @Test func `cancelling before anything has come, twice, or at the end hands over nothing`() async throws {
        let server = try TestServer { _ in .ok("content", fields: Self.fields) }
        let session = SAPURLSession()
        let handed = EventRecorder<Data?>()

        let early = session.downloadTask(with: server.url("/file")) { _, _, _ in }
        early.cancel { handed.record($0) }
        early.cancel { handed.record($0) }
        let (late, recorder) = downloads { session.downloadTask(with: server.url("/file"), completionHandler: $0) }
        _ = try await recorder.wait(for: 1)
        late.cancel { handed.record($0) }

        #expect(try await handed.wait(for: 3) == [nil, nil, nil])
        #expect(recorder.events.count == 1)
    }

    @Test func `cancelling a continued download before the rest has begun to come hands its beginning back`() async throws {
        let server = try breakingServer()
        let broken = try await download(server.url("/file"))
        let data = try #require((broken.error as? URLError)?.resumeData)
        let gate = TestGate()
        server.enqueue(Self.rest(server.requests[0]).stalled(by: gate))
        let session = SAPURLSession()
        let (task, recorder) = downloads { session.downloadTask(withResumeData: data, completionHandler: $0) }
        _ = try await server.waitForRequests(count: 2)
        let handed = EventRecorder<Data?>()

        task.cancel { handed.record($0) }

        #expect(try await handed.wait(for: 1) == [data])
        #expect((try await recorder.wait(for: 1)[0].error as? URLError)?.code == .cancelled)
        gate.open()
        #expect(try await resume(data, by: session).content == Self.content)
    }

    @Test(.enabled(if: StartedServer.http.isExpected, "needs nginx: run Scripts/test"))
    func `nginx goes on with a download that was cancelled`() async throws {
        let url = try StartedServer.http.url
        let fast = url.appendingPathComponent("files/1MiB.bin")
        let session = SAPURLSession()
        let whole = try await download(fast, by: session).content
        let (task, _) = downloads { session.downloadTask(with: url.appendingPathComponent("slow/files/1MiB.bin"), completionHandler: $0) }
        try await waitForBytes(of: task)
        let handed = EventRecorder<Data?>()

        task.cancel { handed.record($0) }
        let data = try #require(try await handed.wait(for: 1)[0])
        // Not as slowly as it began: the file is the same, and its tag, too.
        let hurrying = RecordingObserver("hurrying")
        hurrying.onSend = { request in
            var request = request
            request.url = fast
            return .use(request)
        }
        session.register(hurrying)
        let resumed = try await resume(data, by: session)

        #expect(resumed.status == 206)
        #expect(resumed.content == whole)
        #expect(whole?.count == 1_048_576)
    }

    // MARK: The delegate

    @Test func `the delegate gets the files of downloads without a handler, and hears where they go on`() async throws {
        let server = try breakingServer()
        let broken = try await download(server.url("/file"))
        let data = try #require((broken.error as? URLError)?.resumeData)
        let point = try ResumePoint(data)
        let delegate = DownloadDelegate()
        let session = SAPURLSession(delegate: delegate)

        session.downloadTask(withResumeData: data).resume()
        let events = try await delegate.events.wait { $0.contains(.completed(true)) }

        let count = Int64(Self.content.count)
        #expect(events == [.response, .resumed(at: point.length, of: count), .finished(Self.content), .completed(true)])
    }

    @Test func `a data task becomes a download: the same task, its content in a file while the delegate is told`() async throws {
        let server = try TestServer { _ in .ok(Self.content) }
        let delegate = DownloadDelegate(answering: .becomeDownload)
        let session = SAPURLSession(delegate: delegate)

        let task = session.dataTask(with: server.url("/file"))
        task.resume()
        let events = try await delegate.events.wait { $0.contains(.completed(true)) }
        session.finishTasksAndInvalidate()
        let gone = EventRecorder<Bool>()
        let file = try #require(delegate.files.events.first)
        session.delegateQueue.addOperation { gone.record(!FileManager.default.fileExists(atPath: file.path)) }

        #expect(events == [.response, .became, .finished(Self.content), .completed(true)])
        #expect(Set(delegate.taskIDs.events) == [task.taskID])
        #expect(try await gone.wait(for: 1) == [true])
        #expect(task.state == .completed)
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func `an observer may turn a task into a download, and then nobody else is asked about the response`() async throws {
        let server = try TestServer { _ in .ok(Self.content) }
        let delegate = DownloadDelegate()
        let session = SAPURLSession(delegate: delegate)
        let observer = RecordingObserver("observer")
        observer.onResponse = { _ in .becomeDownload }
        session.register(observer)

        session.dataTask(with: server.url("/file")).resume()
        let events = try await delegate.events.wait { $0.contains(.completed(true)) }

        #expect(events == [.became, .finished(Self.content), .completed(true)])
    }

    @Test func `a task whose handler takes data cannot become a download, and is told what to do`() async throws {
        let server = try TestServer { _ in .ok(Self.content) }
        let session = SAPURLSession()
        let observer = RecordingObserver("observer")
        observer.onResponse = { _ in .becomeDownload }
        session.register(observer)

        let outcome = await session.outcome(of: server.url("/file"))

        guard case .unsupported(let text)? = outcome.error as? SAPURLSessionPipelineError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(text.contains("make a download task"))
        #expect(outcome.status == 200)
    }
}
