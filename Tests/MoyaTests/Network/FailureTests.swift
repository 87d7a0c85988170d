// SPDX-License-Identifier: MIT

import HTTPSessions
import HTTPTesting
import Moya
import Testing

@Suite(.timeLimit(.minutes(1))) struct FailureTests {
    private let journal = Journal()

    private var provider: MoyaProvider<AnyTarget> {
        MoyaProvider(plugins: [RecordingPlugin(name: "A", journal: journal)])
    }

    private func expectSeen(_ wasPrepared: Bool, _ summary: String) {
        let end = ["A didReceive \(summary)", "A process \(summary)"]
        let prepared = journal.entries.filter { $0.hasPrefix("A prepare") || $0.hasPrefix("A willSend") }
        #expect(prepared == (wasPrepared ? ["A prepare", "A willSend A"] : []))
        #expect(journal.entries.suffix(2) == end)
    }

    @Test func `a status that is not accepted keeps the response`() async throws {
        let server = try TestServer { _ in .status(404, "gone") }

        let result = await provider.result(of: .on(server, validation: .successCodes))

        #expect(result.summary == "underlying: unacceptableStatusCode 404 with 404")
        guard case .failure(.underlying(_, let response?)) = result else { return }
        #expect(String(decoding: response.data, as: UTF8.self) == "gone")
        #expect(response.response?.statusCode == 404)
        expectSeen(true, result.summary)
    }

    @Test(arguments: [
        (ValidationType.none, 404, true), (.successCodes, 302, false), (.successAndRedirectCodes, 304, true),
        (.customCodes([418]), 418, true),
        (.customCodes([418]), 200, false), (.customCodes([]), 500, true),
    ])
    func `each validation type accepts its codes`(validation: ValidationType, status: Int, isAccepted: Bool) async throws {
        let server = try TestServer { _ in .status(status) }

        let result = await provider.result(of: .on(server, validation: validation))

        #expect(((try? result.get()) != nil) == isAccepted, "\(result.summary)")
    }

    @Test func `a server that is not there is a failed connection`() async throws {
        let port = try UnusedPort()

        let result = await provider.result(of: AnyTarget(baseURL: port.url()))
        withExtendedLifetime(port) {}

        #expect(result.summary == "underlying: sessionTaskFailed \(URLError.Code.cannotConnectToHost.rawValue)")
        guard case .failure(let error) = result else { return }
        #expect(error.urlError?.code == .cannotConnectToHost)
        expectSeen(true, result.summary)
    }

    @Test func `a transfer that breaks keeps what is known of the response`() async throws {
        let server = try TestServer { _ in .ok("0123456789").closed(at: .responseBody(4)) }

        let result = await provider.result(of: .on(server))

        guard case .failure(.underlying(let error, let response?)) = result else { return #expect(Bool(false), "\(result.summary)") }
        #expect(response.statusCode == 200)
        #expect((error as? AFError)?.isSessionTaskError == true)
        expectSeen(true, result.summary)
    }

    @Test func `GET with content is refused before plugins see it`() async throws {
        let server = try TestServer { _ in .ok }

        let result = await provider.result(of: .on(server, task: .requestData(Data("x".utf8))))

        #expect(result.summary == "underlying: bodyDataInGETRequest")
        #expect(server.connectionCount == 0)
        expectSeen(false, result.summary)
    }

    @Test func `a form's unreadable file fails the form`() async throws {
        let server = try TestServer { _ in .ok }
        let form: Moya.MultipartFormData = [MultipartFormBodyPart(provider: .file(URL(fileURLWithPath: "/no/such/file.txt")), name: "n")]

        let result = await provider.result(of: .on(server, method: .post, task: .uploadMultipartFormData(form)))

        #expect(result.summary == "underlying: multipartEncodingFailed")
        #expect(server.requestCount == 0)
        expectSeen(true, result.summary)
    }

    @Test func `a missing file to upload is a missing file`() async throws {
        let server = try TestServer { _ in .ok }

        let result = await provider.result(
            of: .on(server, method: .post, task: .uploadFile(URL(fileURLWithPath: "/no/such/file.txt"))))

        #expect(result.summary == "underlying: sessionTaskFailed \(URLError.Code.fileDoesNotExist.rawValue)")
        #expect(server.requestCount == 0)
        expectSeen(true, result.summary)
    }

    @Test func `a download that cannot be moved keeps the response`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let folder = try ScratchFolder()
        let taken = try folder.file("taken", Data("old".utf8))

        let result = await provider.result(of: .on(server, task: .downloadDestination { _, _ in (taken, []) }))

        #expect(result.summary == "underlying: downloadedFileMoveFailed with 200")
        #expect(try Data(contentsOf: taken) == Data("old".utf8))
        expectSeen(true, result.summary)
    }

    @Test func `a request closure's failure is told on the callback queue, to plugins as well`() async throws {
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let provider = MoyaProvider<AnyTarget>(
            requestClosure: { _, done in done(.failure(.requestMapping("no"))) }, callbackQueue: queue,
            plugins: [RecordingPlugin(name: "A", journal: journal)])

        let (summary, isOnQueue) = await callbackValue { callback in
            provider.request(AnyTarget()) { callback(($0.summary, DispatchQueue.getSpecific(key: key) == true)) }
        }

        #expect(summary == "requestMapping")
        #expect(isOnQueue)
        expectSeen(false, summary)
    }

    @Test func `forms without parts, or with a method for none, are refused`() async throws {
        let server = try TestServer { _ in .ok }
        let part = MultipartFormBodyPart(provider: .data(Data()), name: "n")

        let results = [
            await provider.result(of: .on(server, method: .post, task: .uploadMultipartFormData([]))),
            await provider.result(of: .on(server, method: .post, task: .uploadCompositeMultipartFormData([], urlParameters: [:]))),
            await provider.result(of: .on(server, method: .get, task: .uploadMultipartFormData([part]))),
        ]

        let inner = results.map { result in
            guard case .failure(.underlying(let error, nil)) = result else { return MoyaMisuse?.none }
            return error as? MoyaMisuse
        }
        #expect(inner == [.emptyMultipartForm, .emptyMultipartForm, .methodWithoutMultipart(.get)])
        #expect(server.connectionCount == 0)
    }

    private struct Hasty: TargetType, RequestOptionsProviding {
        var baseURL: URL
        var path: String { "/p" }
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
        var timeoutInterval: TimeInterval? { 0.2 }
    }

    @Test func `a target's own time-out ends its request`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        defer { gate.open() }

        let result = await MoyaProvider<Hasty>().result(of: Hasty(baseURL: server.baseURL))

        #expect(result.summary == "underlying: sessionTaskFailed \(URLError.Code.timedOut.rawValue)")
    }
}
