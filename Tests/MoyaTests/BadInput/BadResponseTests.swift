// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

/// What servers do wrong, seen from a provider: each ends in the right error, within its time limit, with no connection left behind.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(
        if: DefaultTransport.make().capabilities.contains(.strictFraming),
        "the engine does not tell broken framing apart; Foundation's on Linux ends the process at a head that breaks off"))
struct BadResponseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let responses: [ScriptedResponse]
        /// The kinds of error that are right; none: a response is.
        let kinds: [HTTPError.Kind]

        init(_ sentence: String, _ responses: ScriptedResponse..., is kinds: HTTPError.Kind...) {
            testDescription = sentence
            self.responses = responses
            self.kinds = kinds
        }
    }

    private static let long = String(repeating: "a", count: 1 << 20)

    static let cases = [
        Case("content shorter than declared", .ok("hello").declaringLength(10), is: .truncatedContent),
        Case("content longer than declared", .ok("hello, world").declaringLength(5).closing()),
        Case(
            "chunks without an end", ScriptedResponse(200, content: .chunks(["hello"], isTerminated: false)).closing(),
            is: .truncatedContent, .connectionLost),
        Case("a chunk's size that is none", .chunked([.init(Data("hello".utf8), sizeLine: "zz")]).closing(), is: .malformedResponse),
        Case(
            "a chunk's size beyond all measure", .chunked([.init(Data("hello".utf8), sizeLine: "ffffffffffffffffff")]).closing(),
            is: .malformedResponse),
        Case(
            "a negative chunk's size", .chunked([.init(Data("hello".utf8), sizeLine: "-5")]).closing(), is: .malformedResponse),
        Case("a head of a megabyte in one field", .raw("HTTP/1.1 200 OK\r\nX-Long: \(long)\r\n\r\n"), is: .headTooLarge),
        Case(
            "a head of a megabyte in many fields",
            .raw("HTTP/1.1 200 OK\r\n" + String(repeating: "X-Field: \(long.prefix(1_000))\r\n", count: 1_000) + "\r\n"), is: .headTooLarge),
        Case(
            "interim heads without end", .raw(String(repeating: "HTTP/1.1 103 Early\r\nX: \(long.prefix(10_000))\r\n\r\n", count: 200)),
            is: .headTooLarge),
        Case("no head", .close, is: .noResponse),
        Case("no HTTP", .raw("SSH-2.0-OpenSSH_9.2\r\n"), is: .malformedResponse),
        Case("a head that breaks off", .ok("x").closed(at: .responseHead(20)), is: .connectionLost, .noResponse, .malformedResponse),
        Case("interim heads before the final one", .ok("x").interim(100).interim(103)),
        Case("only interim heads", .raw("HTTP/1.1 103 Early Hints\r\n\r\n"), is: .connectionLost, .noResponse),
        Case("204 with content", .noContent.field("Content-Length", "5").sendingForbiddenContent(), .ok("next")),
        Case(
            "lengths that contradict each other", .raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
            is: .conflictingContentLength),
        Case(
            "a list of lengths that contradict each other", .raw("HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\nab"),
            is: .conflictingContentLength),
        Case(
            "a negative length", .raw("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab"), is: .conflictingContentLength, .malformedResponse),
        Case(
            "a length beyond all measure", .raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nab"),
            is: .conflictingContentLength, .malformedResponse, .truncatedContent),
        Case(
            "a length beside a transfer coding",
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
            is: .conflictingContentLength),
        Case("the same length twice", .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab")),
        Case("a coding that cannot be undone", .ok("not gzip", fields: ["Content-Encoding": "gzip"]), is: .decompressionFailed),
        Case("a redirect to a file", .redirect(to: "file:///etc/passwd"), is: .unsupportedScheme),
        Case("a redirect to another scheme", .redirect(to: "ftp://127.0.0.1/"), is: .unsupportedScheme),
        Case("a redirect to what is no address", .redirect(to: "http://["), is: .redirectRefused),
    ]

    @Test(arguments: cases, [false, true])
    func `a response that is wrong ends in its error`(bad: Case, isDownload: Bool) async throws {
        let server = try TestServer()
        server.enqueue(contentsOf: bad.responses.prefix(1))
        let folder = try ScratchFolder()
        let destination = folder.url.appendingPathComponent("download")

        try await withLeakCheck([.connections(to: server)]) {
            let provider = MoyaProvider<AnyTarget>.alone()
            let task = isDownload ? Task.downloadDestination { _, _ in (destination, []) } : .requestPlain
            let result = await provider.result(of: .on(server, task: task))

            if bad.kinds.isEmpty {
                #expect((try? result.get()) != nil, "\(result.summary)")
            } else {
                #expect(
                    result.httpError.map { bad.kinds.contains($0.kind) } == true,
                    "\(String(describing: result.httpError)) \(result.summary)")
                #expect(!FileManager.default.fileExists(atPath: destination.path))
            }
            #expect(await provider.session.isIdle)

            // The next request is not disturbed by what was left on the connection.
            server.enqueue(.ok("next"))
            #expect(await provider.result(of: .on(server)).summary == "200 next")
        }
    }

    @Test(arguments: [304, 204, 205])
    func `content that must not be there does not become the next response`(status: Int) async throws {
        let server = try TestServer()
        var response = ScriptedResponse(status, content: .bytes(Data("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil".utf8)))
        response.sendsForbiddenContent = true
        server.enqueue(response, .ok("next"))
        let provider = MoyaProvider<AnyTarget>.alone()

        let first = await provider.result(of: .on(server))
        let second = await provider.result(of: .on(server))

        #expect(first.summary.hasPrefix("\(status)"), "\(first.summary)")
        #expect(second.summary == "200 next")
    }

    @Test func `a reset is an error in every phase`() async throws {
        let phases: [ExchangePhase] = [
            .requestHead, .requestBody(1), .responseStart, .responseHead(5), .responseHeadEnd, .responseBody(0), .responseBody(5_000),
        ]
        for phase in phases {
            let server = try TestServer { _ in .ok(Data(count: 10_000)).reset(at: phase) }
            try await withLeakCheck([.connections(to: server)]) {
                let provider = MoyaProvider<AnyTarget>.alone()
                let result = await provider.result(of: .on(server, method: .post, task: .requestData(Data(count: 50_000))))
                let kind = result.httpError?.kind
                #expect(kind == .connectionLost || kind == .noResponse || kind == .truncatedContent, "at \(phase): \(result.summary)")
            }
        }
    }

    @Test func `a reset before the first byte is an error`() async throws {
        let server = try TestServer { _ in .ok }
        server.enqueue(openings: .reset, .close, .reset, .close)

        for _ in 0..<2 {
            let kind = await MoyaProvider<AnyTarget>.alone().result(of: .on(server)).httpError?.kind
            // A reset may come before the client knows that the connection stood.
            #expect([.connectionLost, .noResponse, .connectFailed].contains(kind), "\(String(describing: kind))")
        }
    }

    private struct Patient: TargetType, RequestOptionsProviding {
        var baseURL: URL
        var path: String { "/p" }
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
        var timeoutInterval: TimeInterval? { 0.3 }
    }

    @Test(arguments: [ExchangePhase.requestHead, .responseStart, .responseHead(9), .responseHeadEnd, .responseBody(3)])
    func `a response that stops anywhere ends in the time limit`(phase: ExchangePhase) async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("hello").stalled(by: gate, at: phase) }
        defer { gate.open() }

        let result = await MoyaProvider<Patient>().result(of: Patient(baseURL: server.baseURL))

        #expect(result.httpError?.kind == .idleTimedOut, "\(result.summary)")
    }

    @Test func `a response that trickles ends in the limit for the whole`() async throws {
        let server = try TestServer { _ in
            .repeating(Data("x".utf8), count: 1_000_000).throttled(pieceSize: 10, pause: .milliseconds(20), clock: ContinuousClock())
        }
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.timeoutIntervalForResource = 0.5
        let provider = MoyaProvider<AnyTarget>(session: Session(configuration: configuration, startRequestsImmediately: false))

        let result = await provider.result(of: .on(server))

        #expect(result.httpError?.kind == .resourceTimedOut, "\(result.summary)")
    }

    @Test func `redirects in a circle end`() async throws {
        let server = try TestServer { _ in .redirect(to: "/p") }

        let result = await MoyaProvider<AnyTarget>.alone().result(of: .on(server))

        #expect(result.httpError?.kind == .redirectLimitReached, "\(result.summary)")
        #expect(server.requestCount == 21)
    }

    @Test func `credentials and cookies do not go where a redirect leads`() async throws {
        let other = try TestServer { _ in .ok("other") }
        let target = other.url("/there").absoluteString
        let server = try TestServer { _ in .redirect(to: target) }
        let provider = MoyaProvider<AnyTarget>.alone(plugins: [AccessTokenPlugin { _ in "secret" }])

        let result = await provider.result(
            of: .on(server, headers: ["Authorization": "Bearer secret", "Cookie": "a=secret", "Proxy-Authorization": "Basic secret"]))

        #expect(result.summary == "200 other")
        let fields = try #require(other.requests.first).fields
        for name in ["Authorization", "Cookie", "Proxy-Authorization"] { #expect(fields[name] == nil) }
        #expect(!String(decoding: try #require(other.requests.first).rawHead, as: UTF8.self).contains("secret"))
    }
}

extension Session {
    /// Whether every request has been let go of, which may be a moment after its completion.
    fileprivate var isIdle: Bool {
        get async {
            for _ in 0..<100_000 {
                if activeCount == 0 { return true }
                await _Concurrency.Task.yield()
            }
            return false
        }
    }
}
