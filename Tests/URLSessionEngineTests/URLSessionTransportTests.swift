// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing
import TransportSuite

@testable import URLSessionEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct URLSessionTransportTests {
    /// Sends one GET and returns how it ended.
    private func outcome(
        _ transport: URLSessionTransport, _ request: HTTPRequest, options: TransferOptions = TransferOptions()
    ) async -> TransferOutcome {
        let recorder = TransferRecorder()
        _ = transport.start(request, options: options, receiver: recorder)
        return await recorder.outcome()
    }

    @Test func `a session of the caller's carries transfers if it has a delegate of ours`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let session = URLSession(configuration: .ephemeral, delegate: URLSessionTransport.makeDelegate(), delegateQueue: nil)
        let transport = URLSessionTransport(session: session)

        let before = await outcome(transport, HTTPRequest(url: server.url()))
        transport.shutDown(cancellingTransfers: false)
        let after = await outcome(transport, HTTPRequest(url: server.url()))
        // It was not invalidated: another transport can still use it.
        let again = await outcome(URLSessionTransport(session: session), HTTPRequest(url: server.url()))

        #expect(before.content == Data("content".utf8))
        #expect(after.error?.kind == .shutDown)
        #expect(again.content == Data("content".utf8))
        #expect(transport.urlSession === session)
        session.finishTasksAndInvalidate()
        server.close()
    }

    @Test func `a session with another delegate or a queue that is not serial is refused`() async throws {
        let server = try TestServer()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 4
        let plain = URLSession(configuration: .ephemeral)
        let concurrent = URLSession(configuration: .ephemeral, delegate: URLSessionTransport.makeDelegate(), delegateQueue: queue)

        for session in [plain, concurrent] {
            let outcome = await outcome(URLSessionTransport(session: session), HTTPRequest(url: server.url()))
            #expect(outcome.error?.kind == .unsupportedByTransport)
            session.finishTasksAndInvalidate()
        }

        #expect(server.connectionCount == 0)
        server.close()
    }

    @Test func `a session that somebody else has invalidated ends transfers as shut down`() async throws {
        let server = try TestServer()
        let (invalidated, continuation) = AsyncStream.makeStream(of: Void.self)
        let session = URLSession(
            configuration: .ephemeral, delegate: InvalidationWatcher { continuation.finish() }, delegateQueue: nil)
        let transport = URLSessionTransport(session: session)
        session.finishTasksAndInvalidate()
        for await _ in invalidated {}

        #expect(await outcome(transport, HTTPRequest(url: server.url())).error?.kind == .shutDown)
        server.close()
    }

    @Test func `tasks of the session that are not the transport's work beside it`() async throws {
        let server = try TestServer { request in request.path == "/a" ? .redirect(to: "/b") : .ok(request.path) }
        let session = URLSession(configuration: .ephemeral, delegate: URLSessionTransport.makeDelegate(), delegateQueue: nil)
        let transport = URLSessionTransport(session: session)

        let (data, response) = try await session.data(from: server.url("/a"))
        let outcome = await outcome(transport, HTTPRequest(url: server.url("/c")))

        #expect(String(decoding: data, as: UTF8.self) == "/b")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(outcome.content == Data("/c".utf8))
        session.finishTasksAndInvalidate()
        server.close()
    }

    @Test func `a transport that is let go of finishes its transfers and releases its session`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let recorder = TransferRecorder()
        weak var session: URLSession?
        weak var delegate: URLSessionTransportDelegate?
        do {
            let transport = URLSessionTransport(configuration: .ephemeral)
            session = transport.urlSession
            delegate = transport.urlSession.delegate as? URLSessionTransportDelegate
            _ = transport.start(HTTPRequest(url: server.url()), options: TransferOptions(), receiver: recorder)
        }

        #expect(await recorder.outcome().content == Data("content".utf8))
        // Its connection closes with the session.
        try await server.waitForOpenConnections(atMost: 0)
        #expect(session == nil)
        #expect(delegate == nil)
        server.close()
    }

    @Test func `cookies, credentials, a cache and fields of the configuration do not count`() async throws {
        let server = try TestServer { request in
            request.path == "/private"
                ? .status(401, fields: ["WWW-Authenticate": "Basic realm=\"r\""]) : .ok.field("Set-Cookie", "c=1; Path=/")
        }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Additional": "1", "Authorization": "Basic secret"]
        let credentials = URLCredentialStorage()
        let space = URLProtectionSpace(
            host: "127.0.0.1", port: server.port, protocol: "http", realm: "r", authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        credentials.setDefaultCredential(URLCredential(user: "u", password: "p", persistence: .forSession), for: space)
        configuration.urlCredentialStorage = credentials
        let transport = URLSessionTransport(configuration: configuration)

        for path in ["/", "/private", "/"] { _ = await outcome(transport, HTTPRequest(url: server.url(path))) }

        #expect(server.requests.count == 3)
        for name in ["X-Additional", "Authorization", "Cookie"] {
            #expect(server.requests.allSatisfy { !$0.fields.contains(name) })
        }
        server.close()
    }

    @Test func `what URLSession cannot do is refused before anything is sent`() async throws {
        let server = try TestServer { _ in .ok }
        var settings: [TransportConfiguration] = []
        for change in Self.unsupportedSettings {
            var configuration = TransportConfiguration()
            change(&configuration)
            settings.append(configuration)
        }
        let url = server.url()
        let options = [
            TransferOptions(timeouts: Timeouts(connect: .seconds(1))), TransferOptions(versions: .http2PriorKnowledge),
            TransferOptions(authentication: TransportAuthentication(scheme: .ntlm, user: "u", password: "hunter2")),
        ]

        for setting in settings {
            let outcome = await outcome(URLSessionTransport(configuration: .ephemeral, transport: setting), HTTPRequest(url: url))
            #expect(outcome.error?.kind == .unsupportedByTransport)
        }
        let transport = URLSessionTransport(configuration: .ephemeral)
        for option in options {
            let outcome = await outcome(transport, HTTPRequest(url: url), options: option)
            #expect(outcome.error?.kind == .unsupportedByTransport)
            #expect(outcome.error?.description.contains("hunter2") == false)
        }
        for method in ["GET", "HEAD"] {
            let outcome = await outcome(transport, HTTPRequest(method: method, url: url, body: HTTPBody(Data("body".utf8))))
            #expect(outcome.error?.kind == .unsupportedByTransport)
        }

        #expect(server.connectionCount == 0)
        server.close()
    }

    private static let unsupportedSettings: [@Sendable (inout TransportConfiguration) -> Void] = [
        { $0.unixSocketPath = "/tmp/socket" }, { $0.resolvedAddresses = ["example.com:80": ["127.0.0.1"]] }, { $0.localInterface = "lo" },
        { $0.proxy = .proxy(ProxyServer(kind: .socks5, host: "127.0.0.1", port: 1), except: []) },
        { $0.proxy = .perScheme(http: ProxyServer(kind: .https, host: "127.0.0.1", port: 1), https: nil, except: []) },
    ]

    #if !canImport(Darwin)
    @Test func `settings for TLS that URLSession on Linux would leave out are refused, for https alone`() async throws {
        let server = try TestServer { _ in .ok }
        let changes: [@Sendable (inout TLSConfiguration) -> Void] = [
            { $0.trustPolicy = JudgingPolicy(judgedHost: "127.0.0.1") },
            { $0.clientCertificate = ClientCertificate(.pkcs12(Data()), passphrase: "hunter2") },
            { $0.authorities = .pem(Data()) }, { $0.minimumVersion = .tls1_3 }, { $0.maximumVersion = .tls1_2 },
        ]
        for change in changes {
            var configuration = TransportConfiguration()
            change(&configuration.tls)
            let transport = URLSessionTransport(configuration: .ephemeral, transport: configuration)
            let https = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            let secure = await outcome(transport, HTTPRequest(url: https))
            let plain = await outcome(transport, HTTPRequest(url: server.url()))
            #expect(secure.error?.kind == .unsupportedByTransport)
            #expect(plain.error == nil)
        }
        #expect(server.connectionCount == changes.count, "nothing came over TLS")
        server.close()
    }

    @Test func `a host that the trust policy does not judge is left to the system`() async throws {
        let server = try TestServer()
        var configuration = TransportConfiguration()
        configuration.tls.trustPolicy = JudgingPolicy(judgedHost: "example.com")
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        server.close()

        let outcome = await outcome(URLSessionTransport(configuration: .ephemeral, transport: configuration), HTTPRequest(url: url))

        #expect(outcome.error?.kind == .connectFailed)
    }

    @Test func `methods that Foundation on Linux would rewrite are refused`() async throws {
        let server = try TestServer()
        let outcome = await outcome(URLSessionTransport(configuration: .ephemeral), HTTPRequest(method: "get", url: server.url()))

        #expect(outcome.error?.kind == .unsupportedByTransport)
        server.close()
    }

    @Test func `a body that is made in chunks has its length, whatever it is`() async throws {
        let server = try TestServer(TestServer.Configuration { $0.bodyPolicy = .count }) { _ in .ok }
        let chunks = AsyncStream<Data> { continuation in
            for _ in 0..<30 { continuation.yield(Data(count: 100_000)) }
            continuation.finish()
        }
        let transport = URLSessionTransport(configuration: .ephemeral)
        let request = HTTPRequest(method: "PUT", url: server.url(), body: HTTPBody(chunks))

        #expect(await outcome(transport, request).error == nil)

        #expect(server.requests.first?.bodyByteCount == 3_000_000)
        #expect(server.requests.first?.fields["Content-Length"] == "3000000")
        server.close()
    }
    #endif
}

/// A trust policy that has something to say about one host.
private struct JudgingPolicy: ServerTrustPolicy {
    let judgedHost: String

    func systemChecks(forHost host: String) -> SystemTrustChecks { SystemTrustChecks() }
    func evaluate(_ chain: [Data], forHost host: String) throws {}
    func judges(host: String) -> Bool { host == judgedHost }
}

/// Tells when its session is invalid.
private final class InvalidationWatcher: URLSessionTransportDelegate, @unchecked Sendable {  // its one property does not change
    private let onInvalidation: @Sendable () -> Void

    init(onInvalidation: @escaping @Sendable () -> Void) { self.onInvalidation = onInvalidation }

    override func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        super.urlSession(session, didBecomeInvalidWithError: error)
        onInvalidation()
    }
}
