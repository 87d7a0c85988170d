// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: StartedServer.https.isExpected, "needs nginx: run Scripts/test"))
struct TLSTests {
    private func transport(_ change: (inout TransportConfiguration) throws -> Void = { _ in }) throws -> CurlTransport {
        var configuration = TransportConfiguration()
        configuration.tls.authorities = .pemFile(try StartedServer.file("CA_FILE"))
        try change(&configuration)
        return CurlTransport(configuration: configuration)
    }

    private func message(_ server: StartedServer) throws -> URL {
        try server.url.appendingPathComponent("message.json")
    }

    private func kind(_ server: StartedServer, _ transport: CurlTransport) async throws -> HTTPError.Kind? {
        try await withLeakCheck(transport.leakCounters) {
            let exchange = try await transport.get(try message(server))
            #expect(exchange.error == nil || (exchange.head == nil && (exchange.outcome.metrics?.headBytesSent ?? 0) == 0))
            return exchange.error?.kind
        }
    }

    // MARK: Authorities

    @Test func `a server is trusted by an authority from a file or from memory`() async throws {
        let fromFile = try transport()
        let fromMemory = try transport { $0.tls.authorities = .pem(try Data(contentsOf: try StartedServer.file("CA_FILE"))) }
        for transport in [fromFile, fromMemory] {
            let exchange = try await transport.get(try message(.https))
            #expect(exchange.status == 200 && exchange.outcome.content.count == 183)
            #expect(exchange.outcome.metrics?.tlsHandshake != nil)
        }
    }

    @Test func `without its authority it is not`() async throws {
        let system = try transport { $0.tls.authorities = .system }
        let other = try transport { $0.tls.authorities = .pemFile(try StartedServer.file("OTHER_CA_FILE")) }
        #expect(try await kind(.https, system) == .certificateUntrusted)
        #expect(try await kind(.https, other) == .certificateUntrusted)
    }

    @Test(arguments: [
        (StartedServer.httpsExpired, HTTPError.Kind.certificateExpired), (.httpsSelfSigned, .certificateUntrusted),
        (.httpsWrongHost, .certificateWrongHost),
    ])
    func `a bad certificate ends in its own error`(server: StartedServer, kind: HTTPError.Kind) async throws {
        let exchange = try await transport().get(try message(server))
        #expect(exchange.error?.kind == kind, "\(String(describing: exchange.error?.underlyingError))")
        #expect(exchange.head == nil && exchange.outcome.metrics?.headBytesSent == 0)
    }

    @Test func `authorities that cannot be read fail each transfer`() async throws {
        let missing = try transport { $0.tls.authorities = .pemFile(URL(fileURLWithPath: "/nowhere/ca.pem")) }
        let garbage = try transport { $0.tls.authorities = .pem(Data("garbage".utf8)) }
        for transport in [missing, garbage] {
            for _ in 0..<2 { #expect(try await kind(.https, transport) == .tlsFailed) }
        }
    }

    // MARK: Versions

    @Test func `a server that speaks nothing new enough is refused`() async throws {
        #expect(try await kind(.httpsTLS11, try transport()) == .tlsFailed)
        #expect(try await kind(.httpsTLS12, try transport { $0.tls.minimumVersion = .tls1_3 }) == .tlsFailed)
        #expect(try await kind(.httpsTLS12, try transport()) == nil)
        #expect(try await kind(.https, try transport { $0.tls.maximumVersion = .tls1_2 }) == nil)
        #expect(try await kind(.https, try transport { $0.tls.minimumVersion = .tls1_3 }) == nil)
    }

    @Test func `a port that does not speak TLS is an error`() async throws {
        let port = try #require(try StartedServer.http.url.port)
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        #expect(try await transport().get(url).error?.kind == .tlsFailed)
    }

    // MARK: HTTP/2

    @Test func `HTTP 2 is used where the server offers it, unless the caller does not want it`() async throws {
        let transport = try transport()
        #expect(try await transport.get(try message(.https)).head?.version == .http2)
        #expect(try await transport.get(try message(.httpsHTTP1)).head?.version == .http1_1)
        let old = try await transport.get(try message(.https), options: TransferOptions(versions: .http1Only))
        #expect(old.head?.version == .http1_1)
    }

    @Test func `many transfers share one HTTP 2 connection`() async throws {
        let transport = try transport()
        let url = try message(.https)
        let exchanges = try await withThrowingTaskGroup(of: Exchange.self) { group in
            for _ in 0..<100 { group.addTask { try await transport.get(url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(exchanges.allSatisfy { $0.status == 200 && $0.outcome.content.count == 183 })
        #expect(transport.statistics.connectionsOpened == 1)
    }

    /// Of the servers, one allows more than the hundred streams that are used, the other five.
    @Test(arguments: [
        (StartedServer.https, 100, limit: 6, count: 250, connections: 3...6), (.https, 100, limit: 2, count: 250, connections: 2...2),
        (.https, 100, limit: 1, count: 150, connections: 1...1), (.httpsTLS12, 5, limit: 6, count: 12, connections: 3...6),
        (.httpsTLS12, 5, limit: 2, count: 12, connections: 2...2),
    ])
    func `when all streams of an HTTP 2 connection are in use others are opened, no more than allowed`(
        server: StartedServer, streams: Int, limit: Int, count: Int, connections: ClosedRange<Int>
    ) async throws {
        let transport = try transport { $0.connectionsPerOrigin = limit }
        let url = try message(server)
        _ = try await transport.get(url)

        let underWay = min(count, limit * streams)
        let receivers = (0..<count).map { _ in RecordingReceiver(.wait) }
        let controls = receivers.map { transport.start(HTTPRequest(url: url), options: TransferOptions(), receiver: $0) }
        for receiver in receivers[..<underWay] { try await receiver.waitForHead() }
        #expect(connections ~= transport.statistics.connectionsOpened)
        #expect(receivers[underWay...].allSatisfy { $0.names.isEmpty })

        for control in controls[..<underWay] { control.decide(.collect(limit: 1000)) }
        for (receiver, control) in zip(receivers, controls) {
            try await receiver.waitForHead()
            control.decide(.collect(limit: 1000))
            #expect(try await receiver.exchange().outcome.content.count == 183)
        }
        #expect(connections ~= transport.statistics.connectionsOpened)
    }

    @Test func `where there is no HTTP 2 transfers have connections of their own, no more than allowed`() async throws {
        let transport = try transport()
        let url = try message(.httpsHTTP1)
        let exchanges = try await withThrowingTaskGroup(of: Exchange.self) { group in
            for _ in 0..<60 { group.addTask { try await transport.get(url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(exchanges.allSatisfy { $0.status == 200 && $0.outcome.content.count == 183 })
        // One is enough for a server that answers faster than the next handshake is done.
        #expect(1...6 ~= transport.statistics.connectionsOpened)
    }

    @Test func `content goes both ways over HTTP 2`() async throws {
        let transport = try transport()
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) })
        let url = try StartedServer.https.url.appendingPathComponent("uploads/curl-engine-\(UUID().uuidString)")
        let producer = Data(content[0..<1_000_000])
        let stream = AsyncStream<Data> { continuation in
            continuation.yield(producer)
            continuation.finish()
        }

        let sent = try await transport.exchange(HTTPRequest(method: "PUT", url: url, body: HTTPBody(content)))
        let received = try await transport.get(url)
        let streamed = try await transport.exchange(HTTPRequest(method: "PUT", url: url, body: HTTPBody(stream)))
        let again = try await transport.get(url)
        _ = try await transport.exchange(HTTPRequest(method: "DELETE", url: url))

        #expect([sent, received, streamed, again].allSatisfy { $0.error == nil && $0.head?.version == .http2 })
        #expect(received.outcome.content == content)
        #expect(again.outcome.content == producer)
    }

    @Test(arguments: Seeds.kept + Seeds.fresh(count: 2))
    func `each of different transfers over one easy handle ends as on a transport of its own`(seed: UInt64) async throws {
        let url = try message(.https)
        let large = HTTPBody(Data(repeating: 0x61, count: 300_000))
        let transfers: [(HTTPRequest, HTTPVersionPolicy, Float, ContentDisposition)] = [
            (HTTPRequest(url: url), .automatic, 0.5, .collect(limit: 1_000)),
            (HTTPRequest(url: url), .http1Only, 0, .collect(limit: 1_000)),
            (HTTPRequest(url: url), .automatic, 1, .collect(limit: 10)),
            (HTTPRequest(url: url), .automatic, 0.1, .cancel),
            (HTTPRequest(url: url), .http1Only, 0.5, .cancel),
            (HTTPRequest(method: "HEAD", url: url), .automatic, 0.5, .collect(limit: 1_000)),
            (HTTPRequest(method: "POST", url: url, body: HTTPBody(Data("small".utf8))), .automatic, 0.5, .collect(limit: 1_000)),
            (HTTPRequest(method: "PUT", url: url, body: large), .automatic, 0.9, .discard(limit: 10)),
            (HTTPRequest(url: try message(.httpsHTTP1)), .automatic, 0.5, .collect(limit: 1_000)),
            (HTTPRequest(url: try message(.httpsExpired)), .automatic, 0.5, .collect(limit: 1_000)),
            (HTTPRequest(url: try StartedServer.http.url), .http2PriorKnowledge, 0.5, .collect(limit: 10_000)),
            (HTTPRequest(url: try StartedServer.http.url), .automatic, 0.5, .collect(limit: 10_000)),
        ]
        func run(_ index: Int, _ transport: CurlTransport) async throws -> String {
            let (request, versions, priority, disposition) = transfers[index]
            let options = TransferOptions(versions: versions, priority: priority)
            let exchange = try await transport.exchange(request, options: options, into: disposition)
            // Over HTTP/1.1 whatever else it may be, if there is such a connection already.
            if versions == .http1Only, exchange.head != nil { #expect(exchange.outcome.metrics?.version == .http1_1) }
            return "\(exchange.names) \(exchange.outcome.content.count)"
        }
        var expected: [String] = []
        for index in transfers.indices { expected.append(try await run(index, try transport())) }

        var random = SeededGenerator(seed: seed)
        let transport = try transport { $0.connectionsPerOrigin = 1 }
        var history: [Int] = []
        for _ in 0..<100 {
            history.append(Int.random(in: 0..<transfers.count, using: &random))
            let index = history[history.count - 1]
            let result = try await run(index, transport)
            #expect(result == expected[index], "\(index) after \(history.suffix(5)), seed \(seed)")
        }
    }

    @Test func `an HTTP 2 transfer that is cancelled leaves the others alone`() async throws {
        let transport = try transport()
        let large = try StartedServer.https.url.appendingPathComponent("files/16MiB.bin")
        let receivers = (0..<6).map { _ in RecordingReceiver(.collect(limit: 1 << 25)) }
        let controls = receivers.map { transport.start(HTTPRequest(url: large), options: TransferOptions(), receiver: $0) }
        try await receivers[0].waitForHead()

        for control in controls[..<3] { control.cancel() }

        for receiver in receivers[3...] { #expect(try await receiver.exchange().outcome.content.count == 1 << 24) }
        for receiver in receivers[..<3] { #expect(try await receiver.exchange().names.last?.hasPrefix("end") == true) }
        #expect(transport.statistics.connectionsOpened == 1)
    }

    // MARK: Client certificates

    private func clientTransport(_ source: ClientCertificate.Source, passphrase: String? = nil) throws -> CurlTransport {
        try transport { $0.tls.clientCertificate = ClientCertificate(source, passphrase: passphrase) }
    }

    @Test func `a client certificate is shown, as PEM and as PKCS 12`() async throws {
        let pem = ClientCertificate.Source.pem(
            certificate: try Data(contentsOf: try StartedServer.file("CLIENT_CERTIFICATE_FILE")),
            key: try Data(contentsOf: try StartedServer.file("CLIENT_KEY_FILE")))
        let archive = ClientCertificate.Source.pkcs12(try Data(contentsOf: try StartedServer.file("CLIENT_PKCS12_FILE")))
        let url = try message(.httpsClientCertificate)

        #expect(try await transport().get(url).status == 400)
        #expect(try await clientTransport(pem).get(url).status == 200)
        let password = try StartedServer.value("CLIENT_PKCS12_PASSWORD")
        #expect(try await clientTransport(archive, passphrase: password).get(url).status == 200)
        #expect(try await kind(.httpsClientCertificate, try clientTransport(archive, passphrase: "wrong")) == .clientCertificateRejected)
        let garbage = ClientCertificate.Source.pem(certificate: Data("x".utf8), key: Data("y".utf8))
        #expect(try await kind(.httpsClientCertificate, try clientTransport(garbage)) == .clientCertificateRejected)
    }

    // MARK: Trust decisions

    @Test func `a policy sees the chain once for each connection`() async throws {
        let policy = RecordingPolicy()
        let transport = try transport { $0.tls.trustPolicy = policy }
        for server in [StartedServer.httpsHTTP1, .https] {
            for _ in 0..<5 { #expect(try await transport.get(try message(server)).status == 200) }
        }

        let shown = policy.shown
        #expect(shown.map(\.host) == ["localhost", "localhost"])
        let pem = try String(contentsOf: try StartedServer.file("SERVER_CERTIFICATE_FILE"), encoding: .utf8)
        let begin = try #require(pem.range(of: "-----BEGIN CERTIFICATE-----")?.upperBound)
        let end = try #require(pem.range(of: "-----END CERTIFICATE-----", range: begin..<pem.endIndex)?.lowerBound)
        #expect(shown[0].chain.first == Data(base64Encoded: String(pem[begin..<end]), options: .ignoreUnknownCharacters))
        #expect(transport.statistics.connectionsOpened == 2)
    }

    @Test(arguments: [StartedServer.httpsTLS12, .httpsHTTP1, .https])
    func `a policy sees the chain when a TLS session is taken up again, too`(server: StartedServer) async throws {
        let policy = RecordingPolicy()
        let transport = try transport { $0.tls.trustPolicy = policy }
        let request = HTTPRequest(url: try message(server), fields: ["Connection": "close"])
        for _ in 0..<5 {
            #expect(try await transport.exchange(request, options: TransferOptions(versions: .http1Only)).status == 200)
        }
        #expect(transport.statistics.connectionsOpened == 5)
        #expect(policy.shown.count == 5)
        #expect(policy.shown.allSatisfy { $0.chain == policy.shown[0].chain && !$0.chain.isEmpty })
    }

    @Test func `a policy judges transfers that share a connection, too`() async throws {
        let policy = RecordingPolicy()
        let transport = try transport { $0.tls.trustPolicy = policy }
        let url = try message(.https)
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { try await transport.get(url).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 200 })
        #expect(policy.shown.count == transport.statistics.connectionsOpened)
    }

    @Test func `what a policy refuses gets nothing, however often it is tried`() async throws {
        let policy = RecordingPolicy(refuses: true)
        let transport = try transport { $0.tls.trustPolicy = policy }
        for server in [StartedServer.https, .httpsHTTP1] {
            for _ in 0..<3 {
                let exchange = try await transport.get(try message(server))
                #expect(exchange.error?.kind == .serverTrustRefused)
                #expect(exchange.error?.underlyingError is RecordingPolicy.Refusal)
                #expect(exchange.outcome.metrics?.headBytesSent == 0)
            }
        }
        #expect(policy.shown.count == 6)
    }

    @Test func `a policy can stand in for the system's checks, host by host`() async throws {
        let unchecked = SystemTrustChecks(chain: false, host: false)
        let lenient = try transport { $0.tls.trustPolicy = RecordingPolicy(checks: unchecked) }
        #expect(try await kind(.httpsSelfSigned, lenient) == nil)
        #expect(try await kind(.httpsWrongHost, lenient) == nil)
        let strict = try transport { $0.tls.trustPolicy = RecordingPolicy() }
        #expect(try await kind(.httpsSelfSigned, strict) == .certificateUntrusted)
        let refusing = try transport { $0.tls.trustPolicy = RecordingPolicy(checks: unchecked, refuses: true) }
        #expect(try await kind(.httpsSelfSigned, refusing) == .serverTrustRefused)
        let chainOnly = try transport { $0.tls.trustPolicy = RecordingPolicy(checks: SystemTrustChecks(chain: true, host: false)) }
        #expect(try await kind(.httpsWrongHost, chainOnly) == nil)
        #expect(try await kind(.httpsExpired, chainOnly) == .certificateExpired)
    }

    @Test func `a policy can name authorities for a host`() async throws {
        let collector = RecordingPolicy(checks: SystemTrustChecks(chain: false, host: false))
        _ = try await transport { $0.tls.trustPolicy = collector }.get(try message(.httpsSelfSigned))
        let certificate = try #require(collector.shown.first?.chain.first)

        let checks = SystemTrustChecks(additionalAuthorities: [certificate])
        let trusting = try transport { $0.tls.trustPolicy = RecordingPolicy(checks: checks, judges: false) }
        #expect(try await kind(.httpsSelfSigned, trusting) == nil)
        #expect(try await kind(.https, trusting) == nil)
        let trustingBesideSystem = try transport {
            $0.tls.authorities = .system
            $0.tls.trustPolicy = RecordingPolicy(checks: checks, judges: false)
        }
        #expect(try await kind(.httpsSelfSigned, trustingBesideSystem) == nil)
        #expect(try await kind(.https, trustingBesideSystem) == .certificateUntrusted)
    }
}

/// Keeps the chains that it is shown.
private final class RecordingPolicy: ServerTrustPolicy {
    struct Refusal: Error {}

    private let checks: SystemTrustChecks
    private let judgesHosts: Bool
    private let refuses: Bool
    private let chains = Locked<[(host: String, chain: [Data])]>([])

    init(checks: SystemTrustChecks = SystemTrustChecks(), judges: Bool = true, refuses: Bool = false) {
        self.checks = checks
        judgesHosts = judges
        self.refuses = refuses
    }

    var shown: [(host: String, chain: [Data])] { chains.withLock { $0 } }

    func systemChecks(forHost host: String) -> SystemTrustChecks { checks }

    func judges(host: String) -> Bool { judgesHosts }

    func evaluate(_ chain: [Data], forHost host: String) throws {
        chains.withLock { $0.append((host, chain)) }
        if refuses { throw Refusal() }
    }
}
#endif
