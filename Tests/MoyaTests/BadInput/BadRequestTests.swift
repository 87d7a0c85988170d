// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

/// What cannot be sent, or not as it should: a typed error, nothing sent, nothing left behind.
@Suite(.timeLimit(.minutes(1))) struct BadRequestTests {
    private let provider = MoyaProvider<AnyTarget>.alone()

    /// Sends the target, which must fail in an error of this kind without a connection being made.
    private func expectUnsent(
        _ target: AnyTarget, _ kind: HTTPError.Kind, _ server: TestServer, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let result = await provider.result(of: target)
        #expect(result.httpError?.kind == kind, "\(result.summary)", sourceLocation: sourceLocation)
        #expect(server.connectionCount == 0, sourceLocation: sourceLocation)
        #expect(provider.session.activeCount == 0, sourceLocation: sourceLocation)
    }

    @Test(arguments: ["http://[", "", "http://a b/", "http://a.example/%zz{", "http://a.example:99999999/", "\0"])
    func `an address that cannot be read is a request that cannot be made`(url: String) async throws {
        let provider = MoyaProvider<AnyTarget>(endpointClosure: { target in
            Endpoint(
                url: url, sampleResponseClosure: { .networkResponse(200, Data()) }, method: .get, task: target.task, httpHeaderFields: nil)
        })

        let result = await provider.result(of: AnyTarget())

        switch result {
        case .failure(.requestMapping(let refused)): #expect(refused == url)
        case .failure(.underlying(let error, nil)): #expect(error.isUnsent, "\(error)")
        default: #expect(Bool(false), "\(result.summary)")
        }
    }

    @Test(arguments: ["ftp", "file", "data", "javascript", "httpx", "ws"])
    func `only http and https are sent`(scheme: String) async throws {
        let server = try TestServer { _ in .ok }
        let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(server.port)"))

        await expectUnsent(AnyTarget(baseURL: url), .unsupportedScheme, server)
    }

    @Test(arguments: ["a\r\nX-Other: b", "a\rb", "a\nb", "a\0b"])
    func `a field's value cannot end its line`(value: String) async throws {
        let server = try TestServer { _ in .ok }

        await expectUnsent(.on(server, headers: ["X-Key": value]), .invalidField, server)
    }

    @Test(arguments: ["X Key", "X-Key:", "X-Key\r\nY", "", "Schlüssel", "X\0"])
    func `a field's name is a token`(name: String) async throws {
        let server = try TestServer { _ in .ok }

        await expectUnsent(.on(server, headers: [name: "value"]), .invalidField, server)
    }

    @Test(arguments: ["GET /", "GET\r\nX: y", "", "G\0T", "GÉT"])
    func `a method is a token`(method: String) async throws {
        let server = try TestServer { _ in .ok }

        await expectUnsent(.on(server, method: Moya.Method(rawValue: method)), .invalidMethod, server)
    }

    @Test func `a folder is no file to upload`() async throws {
        let server = try TestServer { _ in .ok }
        let folder = try ScratchFolder()

        let result = await provider.result(of: .on(server, method: .post, task: .uploadFile(folder.url)))

        #expect(result.httpError?.kind == .bodyUnreadable, "\(result.summary)")
        #expect(server.requestCount == 0)
    }

    @Test(arguments: [5, 1_000_000])
    func `a file that grows while it is sent is sent as long as it was`(addition: Int) async throws {
        let folder = try ScratchFolder()
        let file = try folder.file("growing", Data(count: 4_000_000))
        let server = try TestServer(
            .init { configuration in
                configuration.bodyPolicy = .count
                configuration.answersHead = { _ in
                    let handle = try? FileHandle(forWritingTo: file)
                    _ = try? handle?.seekToEnd()
                    try? handle?.write(contentsOf: Data(count: addition))
                    try? handle?.close()
                    return nil
                }
            }
        ) { .ok("\($0.bodyByteCount)") }

        let result = await provider.result(of: .on(server, method: .post, task: .uploadFile(file)))

        // Either all that was promised arrives, or the change is noticed; never more, never a request without its end.
        let isNoticed = result.httpError?.kind == .bodyLengthMismatch
        #expect(isNoticed || result.summary == "200 4000000", "\(result.summary)")
        #expect(server.protocolViolations.isEmpty)
    }

    @Test(
        .enabled(
            if: DefaultTransport.make().capabilities.contains(.streamedBodies),
            "the engine reads files by itself, and waits for what is gone"))
    func `a file that shrinks while it is sent is an error`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.file("shrinking", Data(count: 40_000_000))
        let server = try TestServer(
            .init { configuration in
                configuration.bodyPolicy = .count
                configuration.answersHead = { _ in
                    _ = truncate(file.path, 0)
                    return nil
                }
            }
        ) { .ok("\($0.bodyByteCount)") }

        let result = await provider.result(of: .on(server, method: .post, task: .uploadFile(file)))

        #expect(result.httpError?.kind == .bodyLengthMismatch || result.httpError?.kind == .bodyUnreadable, "\(result.summary)")
    }

    @Test func `a destination that cannot be written is an error that leaves nothing`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let folder = try ScratchFolder()
        let file = try folder.file("file", Data())
        let destinations: [(URL, DownloadRequest.Options)] = [
            (file.appendingPathComponent("beneath-a-file"), []),
            (file.appendingPathComponent("beneath-a-file"), .createIntermediateDirectories),
            (folder.url.appendingPathComponent("no/such/folder"), []),
            (URL(fileURLWithPath: "/proc/openmoya"), []),
            (try #require(URL(string: "http://a.example/file")), []),
        ]

        for (destination, options) in destinations {
            let temporary = Locked<URL?>(nil)
            let task = Task.downloadDestination { source, _ in
                temporary.withLock { $0 = source }
                return (destination, options)
            }
            let result = await provider.result(of: .on(server, task: task))
            #expect(result.summary == "underlying: downloadedFileMoveFailed with 200", "to \(destination)")
            let source = try #require(temporary.withLock { $0 })
            #expect(!FileManager.default.fileExists(atPath: source.path))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["file"])
    }

    @Test(arguments: [307, 308, 401])
    func `a stream that would have to be sent again is an error`(status: Int) async throws {
        let server = try TestServer { request in
            request.path == "/p" && request.fields["Authorization"] == nil
                ? .status(status, fields: ["Location": "/q", "WWW-Authenticate": "Basic realm=\"r\""]) : .ok
        }
        let provider = MoyaProvider<AnyTarget>(
            plugins: [CredentialsPlugin(for: AnyTarget.self) { _ in URLCredential(user: "u", password: "p", persistence: .none) }])
        // Less would be read into memory first, and could be sent again.
        let content = Data(count: Int(RequestMultipartFormData.encodingMemoryThreshold) + 1)
        let form: Moya.MultipartFormData = [
            MultipartFormBodyPart(provider: .stream(InputStream(data: content), UInt64(content.count)), name: "n")
        ]

        let result = await provider.result(of: .on(server, method: .post, task: .uploadMultipartFormData(form)))

        #expect(result.httpError?.kind == .bodyNotReplayable, "\(result.summary)")
        #expect(server.requests.map(\.path) == ["/p"])
    }
}

extension Result<Moya.Response, MoyaError> {
    /// The transport's error that the failure is about.
    var httpError: HTTPError? {
        guard case .failure(.underlying(let error, _)) = self else { return nil }
        return error.httpError
    }
}

extension Error {
    /// Whether it says that the request cannot be sent as it is.
    fileprivate var isUnsent: Bool {
        let kinds: [HTTPError.Kind] = [.invalidURL, .unsupportedScheme, .hostNotFound, .connectFailed]
        if let kind = httpError?.kind { return kinds.contains(kind) }
        return (self as? AFError)?.isInvalidURLError == true || (self as? AFError)?.isCreateURLRequestError == true
    }
}
