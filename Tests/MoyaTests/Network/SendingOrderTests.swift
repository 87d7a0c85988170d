// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

@Suite(.timeLimit(.minutes(1))) struct SendingOrderTests {
    private let journal = Journal()

    private var plugins: [any PluginType] {
        [RecordingPlugin(name: "A", journal: journal), RecordingPlugin(name: "B", journal: journal)]
    }

    private func session(_ interceptor: (any RequestInterceptor)? = nil) -> Session {
        Session(startRequestsImmediately: false, interceptor: interceptor)
    }

    /// Adapts, and retries failures a number of times.
    private struct Retrying: RequestInterceptor {
        let journal: Journal
        let limit: Int

        func adapt(
            _ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
        ) {
            journal.note("adapt, plugins \(urlRequest.value(forHTTPHeaderField: "X-Plugins") ?? "-")")
            var request = urlRequest
            request.setValue("S", forHTTPHeaderField: "X-Session")
            completion(.success(request))
        }

        func retry(
            _ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            journal.note("retry?")
            completion(request.retryCount < limit ? .retry : .doNotRetry)
        }
    }

    @Test func `plugins are called in the exact order`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let provider = MoyaProvider<AnyTarget>(session: session(), plugins: plugins)

        let result = await provider.result(of: .on(server), progress: { journal.note("progress \($0.progress)") })
        journal.note("completion \(result.summary)")

        #expect(
            journal.entries == [
                "A prepare", "B prepare", "A willSend AB", "B willSend AB", "progress 1.0", "A didReceive 200 x", "B didReceive 200 x",
                "progress 1.0", "A process 200 x", "B process 200 xA", "completion 200 xAB",
            ])
        #expect(server.requests.map { $0.fields["X-Plugins"] } == ["AB"])
    }

    @Test func `every attempt is prepared anew, and the end is told once`() async throws {
        let server = try TestServer()
        server.enqueue(.serviceUnavailable, .serviceUnavailable, .ok("x"))
        let provider = MoyaProvider<AnyTarget>(session: session(Retrying(journal: journal, limit: 2)), plugins: plugins)

        let result = await provider.result(of: .on(server, validation: .successCodes))
        journal.note("completion \(result.summary)")

        let attempt = ["adapt, plugins -", "A prepare", "B prepare", "A willSend AB", "B willSend AB"]
        #expect(
            journal.entries == attempt + ["retry?"] + attempt + ["retry?"] + attempt + [
                "A didReceive 200 x", "B didReceive 200 x", "A process 200 x", "B process 200 xA", "completion 200 xAB",
            ])
        #expect(server.requests.map { $0.fields["X-Session"] } == ["S", "S", "S"])
        #expect(server.requests.map { $0.fields["X-Plugins"] } == ["AB", "AB", "AB"])
    }

    @Test func `a response has the request that was last sent`() async throws {
        let server = try TestServer { _ in .ok }
        let provider = MoyaProvider<AnyTarget>(
            session: session(Retrying(journal: journal, limit: 0)), plugins: plugins + [AccessTokenPlugin { _ in "t" }])

        let request = try #require(try await provider.request(.on(server)).request)

        #expect(request.value(forHTTPHeaderField: "X-Session") == "S")
        #expect(request.value(forHTTPHeaderField: "X-Plugins") == "AB")
    }

    @Test func `plugins may make requests of their own on the same provider`() async throws {
        final class Nested: PluginType, Sendable {
            let provider = Locked<MoyaProvider<AnyTarget>?>(nil)
            let outcome = EventRecorder<String>()
            let server: TestServer
            init(_ server: TestServer) { self.server = server }
            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                if request.url?.path == "/outer" {
                    provider.withLock { $0 }?.request(.on(server, "/inner")) { self.outcome.record($0.summary) }
                }
                return request
            }
        }
        let server = try TestServer { .ok($0.path) }
        let plugin = Nested(server)
        let provider = MoyaProvider<AnyTarget>(plugins: [plugin])
        plugin.provider.withLock { $0 = provider }
        defer { plugin.provider.withLock { $0 = nil } }

        let response = try await provider.request(.on(server, "/outer"))

        #expect(String(decoding: response.data, as: UTF8.self) == "/outer")
        #expect(try await plugin.outcome.wait(for: 1) == ["200 /inner"])
    }

    // MARK: The session's methods

    private final class Watching: Session, @unchecked Sendable {  // the journal has its lock
        let journal = Journal()

        override func request(_ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil) -> DataRequest {
            journal.note("request \(interceptor == nil ? "without" : "with") interceptor")
            return super.request(convertible, interceptor: interceptor)
        }

        override func upload(
            _ fileURL: URL, with convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil
        ) -> UploadRequest {
            journal.note("upload \(fileURL.lastPathComponent)")
            return super.upload(fileURL, with: convertible, interceptor: interceptor)
        }

        override func upload(
            multipartFormData: RequestMultipartFormData, with request: any URLRequestConvertible,
            usingThreshold encodingMemoryThreshold: UInt64 = RequestMultipartFormData.encodingMemoryThreshold,
            interceptor: (any RequestInterceptor)? = nil, fileManager: FileManager = .default
        ) -> UploadRequest {
            let text = (try? multipartFormData.encode()).map { String(decoding: $0, as: UTF8.self) } ?? ""
            journal.note("form \(text.contains("data; name=\"test1\"\r\n\r\ntest1\r\n"))")
            return super.upload(
                multipartFormData: multipartFormData, with: request, usingThreshold: encodingMemoryThreshold, interceptor: interceptor,
                fileManager: fileManager)
        }

        override func download(
            _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil,
            to destination: DownloadRequest.Destination? = nil
        ) -> DownloadRequest {
            journal.note("download")
            return super.download(convertible, interceptor: interceptor, to: destination)
        }
    }

    @Test func `each task takes its method of the session, before the call returns`() async throws {
        let server = try TestServer { _ in .ok }
        let session = Watching(startRequestsImmediately: false)
        let provider = MoyaProvider<AnyTarget>(session: session)
        let folder = try ScratchFolder()
        let file = try folder.file("note.txt", Data("x".utf8))
        let target = folder.url.appendingPathComponent("download")
        let form: Moya.MultipartFormData = [MultipartFormBodyPart(provider: .data(Data("test1".utf8)), name: "test1")]

        var called: [[String]] = []
        var results: [Result<Moya.Response, MoyaError>] = []
        for task in [
            Task.requestPlain, .requestData(Data("x".utf8)), .uploadFile(file), .uploadMultipartFormData(form),
            .uploadCompositeMultipartFormData(form, urlParameters: ["a": 1]),
            .downloadDestination { _, _ in (target, [.removePreviousFile]) },
        ] {
            results.append(
                await callbackValue { callback in
                    provider.request(.on(server, method: .post, task: task)) { callback($0) }
                    called.append(session.journal.entries)
                })
        }

        #expect(
            called.last == [
                "request without interceptor", "request without interceptor", "upload note.txt", "form true", "form true", "download",
            ])
        #expect(called.map(\.count) == [1, 2, 3, 4, 5, 6])
        #expect(results.map(\.summary) == Array(repeating: "200 ", count: 6))
        #expect(server.requests.map(\.target) == ["/p", "/p", "/p", "/p", "/p?a=1", "/p"])
    }
}
