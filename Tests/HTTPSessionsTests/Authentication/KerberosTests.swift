// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

/// Negotiate with a Kerberos realm's tickets, at Apache httpd as a server and as a proxy, by a program of its own.
@Suite(
    .timeLimit(.minutes(1)), .enabled(if: StartedServer.kerberos.isExpected, "needs a Kerberos realm: run Scripts/test"),
    .enabled(if: Session.capabilities.contains(.transportAuthentication), "the engine has neither NTLM nor Negotiate"))
struct KerberosTests {
    typealias Step = TicketErrand.Step
    typealias Result = TicketErrand.Result

    /// Which tickets the program has.
    enum Tickets: String {
        case valid = "KERBEROS_TICKETS_FILE"
        case expired = "KERBEROS_EXPIRED_TICKETS_FILE"
        case none
    }

    private let principal: String?
    private let server: URL
    private let proxy: URL

    init() throws {
        principal = try StartedServer.value("KERBEROS_PRINCIPAL")
        server = try StartedServer.kerberos.url
        proxy = try StartedServer.kerberosProxy.url
    }

    private func run(_ errand: TicketErrand, with tickets: Tickets = .valid) async throws -> [Result] {
        let folder = try TemporaryFolder()
        let environment = try environment(with: tickets, in: folder, configuration: try StartedServer.value("KERBEROS_CONFIGURATION_FILE"))
        let results = try await errand.results(environment: environment)
        return withExtendedLifetime(folder) { results.flatMap { $0 } }
    }

    /// A cache of the program's own: the library adds the tickets to it that it gets.
    private func environment(with tickets: Tickets, in folder: TemporaryFolder, configuration: String) throws -> [String: String] {
        let cache = folder.url.appendingPathComponent("tickets")
        if tickets != .none { try FileManager.default.copyItem(at: try StartedServer.file(tickets.rawValue), to: cache) }
        return ["KRB5_CONFIG": configuration, "KRB5CCNAME": "FILE:\(cache.path)"]
    }

    private func url(_ path: String) -> URL { server.appendingPathComponent(path) }

    // MARK: At a server

    @Test func `a ticket answers a challenge, and goes ahead of the next`() async throws {
        let document = url("negotiate/message.txt")

        let results = try await run(TicketErrand([Step(document) { $0.isPlain = true }, Step(document), Step(document)]))

        #expect(results.map(\.status) == [401, 200, 200])
        #expect(results.map(\.user) == ["", principal, principal])
        #expect(results.map(\.text)[1...] == ["plain text\n", "plain text\n"])
        #expect(results.allSatisfy { $0.ticketProblem == nil })
        // The second one came with its token, on the connection of the first, which the challenge had not come over.
        #expect(results[2].isReused == true && results[2].localPort == results[1].localPort && results[0].localPort != results[1].localPort)
    }

    @Test func `without a ticket the response is the challenge, and the metrics say why`() async throws {
        let result = try #require(try await run(TicketErrand([Step(url("negotiate/message.txt"))]), with: .none).first)

        #expect(result.status == 401 && result.error == nil)
        #expect(result.ticketProblem?.contains("credentials were unavailable") == true, "\(result)")
    }

    @Test func `with an expired ticket the response is the challenge, and the metrics say so`() async throws {
        let result = try #require(try await run(TicketErrand([Step(url("negotiate/message.txt"))]), with: .expired).first)

        #expect(result.status == 401 && result.error == nil)
        #expect(result.ticketProblem?.contains("expired") == true, "\(result)")
    }

    @Test func `a service that the realm does not know is sent no token, and the metrics name it`() async throws {
        let server = try TestServer { request in
            request.fields.contains("Authorization") ? .ok : .status(401, fields: ["WWW-Authenticate": "Negotiate"])
        }

        let result = try #require(try await run(TicketErrand([Step(server.url("/"))])).first)

        #expect(result.status == 401)
        #expect(result.ticketProblem?.contains("127.0.0.1") == true, "\(result)")
        #expect(server.requests.allSatisfy { !$0.fields.contains("Authorization") })
    }

    @Test func `a connection that a token has logged in takes the user's requests without another, and nobody else's`() async throws {
        let document = url("persistent/message.txt")

        let results = try await run(TicketErrand([Step(document), Step(document), Step(document) { $0.isPlain = true }, Step(document)]))

        #expect(results.map(\.status) == [200, 200, 401, 200])
        #expect(results.map(\.user) == [principal, principal, "", principal])
        #expect(results.map(\.scheme) == ["Negotiate", nil, nil, nil])
        #expect(results[1].localPort == results[0].localPort && results[3].localPort == results[0].localPort)
    }

    @Test(arguments: ["negotiate/mirror", "persistent/mirror"])
    func `content is sent again with the token`(path: String) async throws {
        let steps = [5, 1_000_000, 100_000].map { Step(url(path), method: "POST", byteCount: $0) }

        let results = try await run(TicketErrand(steps))

        #expect(results.map(\.status) == [200, 200, 200])
        #expect(results.map(\.user) == [principal, principal, principal])
        #expect(results.map(\.byteCount) == [5, 1_000_000, 100_000])
    }

    @Test func `content that can be read once is an error at a challenge, and goes with a token that is sent ahead`() async throws {
        let upload = Step(url("negotiate/mirror"), method: "POST", byteCount: 50_000) { $0.isOneShot = true }

        let results = try await run(TicketErrand([upload, Step(url("negotiate/message.txt")), upload]))

        #expect(results.map(\.status)[1...] == [200, 200])
        #expect(results[0].error?.contains("read only once") == true, "\(results[0])")
        #expect(results[2].byteCount == 50_000)
    }

    @Test func `a token is not sent where a redirect leads`() async throws {
        let other = try TestServer { _ in .ok("landed") }
        let away = url("negotiate/away/\(other.port)")

        let results = try await run(
            TicketErrand([Step(away), Step(away), Step(away, method: "POST", byteCount: 100)]))

        #expect(results.map(\.text) == ["landed", "landed", "landed"])
        #expect(other.requests.map(\.path) == ["/landing", "/landing", "/landing"])
        #expect(other.requests.allSatisfy { !$0.fields.contains("Authorization") })
    }

    @Test(arguments: ["negotiate/message.txt", "persistent/message.txt"])
    func `many requests at a time are all let in`(path: String) async throws {
        let results = try await run(
            TicketErrand([
                Step(url(path)) { $0.count = 40 }, Step(url("persistent/mirror"), method: "POST", byteCount: 30_000) { $0.count = 20 },
            ]))

        #expect(results.count == 60)
        #expect(results.allSatisfy { $0.status == 200 && $0.user == principal })
        #expect(results[40...].allSatisfy { $0.byteCount == 30_000 })
    }

    // MARK: Through a proxy

    @Test func `a ticket answers a proxy's challenge, and goes ahead of the next`() async throws {
        let echo = try StartedServer.http.url.appendingPathComponent("message.txt")

        let results = try await run(
            TicketErrand([Step(echo) { $0.isPlain = true }, Step(echo), Step(echo), Step(echo) { $0.count = 10 }], proxy: proxy))

        #expect(results.map(\.status) == [407] + Array(repeating: 200, count: 12))
        #expect(results[1...].allSatisfy { $0.proxyUser == principal && $0.text == "plain text\n" })
    }

    @Test func `a ticket opens a proxy's tunnel`() async throws {
        let document = try StartedServer.https.url.appendingPathComponent("message.txt")
        let authorities = try StartedServer.value("CA_FILE")

        let results = try await run(
            TicketErrand(
                [Step(document), Step(document), Step(document) { $0.isPlain = true }, Step(document) { $0.count = 10 }], proxy: proxy,
                authorities: authorities))

        #expect(results.map(\.status) == [200, 200, 407] + Array(repeating: 200, count: 10))
        #expect(results[1].isReused == true)
    }

    @Test func `a proxy and a server behind it are both sent tokens`() async throws {
        let steps = [
            Step(url("negotiate/message.txt")), Step(url("negotiate/mirror"), method: "POST", byteCount: 200_000),
            Step(url("persistent/message.txt")),
        ]

        let results = try await run(TicketErrand(steps, proxy: proxy))

        #expect(results.map(\.status) == [200, 200, 200])
        #expect(results.allSatisfy { $0.user == principal && $0.proxyUser == principal })
        #expect(results[1].byteCount == 200_000)
    }

    @Test(arguments: [Tickets.none, .expired])
    func `without a good ticket a proxy's challenge is the response, for a tunnel, too`(tickets: Tickets) async throws {
        let urls = [try StartedServer.http.url, try StartedServer.https.url]

        let results = try await run(TicketErrand(urls.map { Step($0) }, proxy: proxy), with: tickets)

        #expect(results.map(\.status) == [407, 407])
        #expect(results.allSatisfy { $0.error == nil && $0.ticketProblem?.isEmpty == false }, "\(results)")
    }

    // MARK: Waiting

    @Test func `other requests go on while a ticket is waited for`() async throws {
        // A key distribution center that never answers.
        let center = try TestServer()
        let silence = TestGate()
        center.enqueue(openings: .stall(silence), .stall(silence), .stall(silence))
        let gate = TestGate()
        let server = try TestServer { request in
            switch request.path {
            case "/guarded": .status(401, fields: ["WWW-Authenticate": "Negotiate"], "no")
            case "/first": .ok("first").stalled(by: gate)
            default: .ok
            }
        }
        let folder = try TemporaryFolder()
        let real = try String(contentsOf: try StartedServer.file("KERBEROS_CONFIGURATION_FILE"), encoding: .utf8)
        let configuration = try folder.file(
            "krb5.conf", real.replacing(#/kdc = 127\.0\.0\.1:\d+/#, with: "kdc = 127.0.0.1:\(center.port)"))
        var errand = TicketErrand([Step(try #require(URL(string: "http://localhost:\(server.port)/guarded")))])
        errand.stepsBeside = [Step(server.url("/first")), Step(server.url("/second"))]
        let environment = try environment(with: .valid, in: folder, configuration: configuration.path)

        async let results = errand.results(environment: environment)
        // The library has asked for a ticket and waits; a response can be received, and a request sent, all the same.
        try await center.waitForConnections(count: 1)
        gate.open()
        let paths = try await server.waitForRequests(count: 3).map(\.path)
        #expect(paths.sorted() == ["/first", "/guarded", "/second"])
        #expect(center.openConnectionCount == 1)
        center.close()
        silence.open()

        let result = try #require(try await results.first?.first)
        withExtendedLifetime(folder) {}
        #expect(result.status == 401 && result.ticketProblem?.contains("KDC") == true, "\(result)")
    }

    // MARK: Bad input

    /// What a server or a proxy answers a token with, and should not.
    enum BrokenToken: String, CaseIterable {
        case noBase64 = "Negotiate ???"
        case noToken = "Negotiate AAAA"
        case refusal = "Negotiate oQcwBaADCgEB"
        case padding = "Negotiate ="
        case long

        var field: String { self == .long ? "Negotiate " + String(repeating: "QUJD", count: 5_000) : rawValue }
    }

    @Test(arguments: BrokenToken.allCases)
    func `a server's broken token ends in its response`(token: BrokenToken) async throws {
        let server = try TestServer { request in
            .status(401, fields: ["WWW-Authenticate": request.fields.contains("Authorization") ? token.field : "Negotiate"], "no")
        }
        let url = try #require(URL(string: "http://localhost:\(server.port)/"))

        let result = try #require(try await run(TicketErrand([Step(url, method: "POST", byteCount: 100)])).first)

        #expect(result.status == 401 && result.text == "no", "\(result)")
        #expect(server.requestCount <= 4)
    }

    @Test(arguments: BrokenToken.allCases)
    func `a broken token beside the content changes nothing about it`(token: BrokenToken) async throws {
        let server = try TestServer { request in
            request.fields.contains("Authorization")
                ? .ok("content", fields: ["WWW-Authenticate": token.field]) : .status(401, fields: ["WWW-Authenticate": "Negotiate"])
        }
        let url = try #require(URL(string: "http://localhost:\(server.port)/"))

        let results = try await run(TicketErrand([Step(url), Step(url)]))

        #expect(results.map(\.text) == ["content", "content"], "\(results)")
    }

    @Test(arguments: BrokenToken.allCases)
    func `a proxy's broken token ends in its response, for a tunnel, too`(token: BrokenToken) async throws {
        let proxy = try TestServer { request in
            .status(407, fields: ["Proxy-Authenticate": request.fields.contains("Proxy-Authorization") ? token.field : "Negotiate"], "no")
        }
        let steps = [Step(try StartedServer.http.url), Step(try StartedServer.https.url)]

        let results = try await run(TicketErrand(steps, proxy: URL(string: "http://localhost:\(proxy.port)")))

        #expect(results[0].status == 407)
        // libcurl takes no line as long as that in the way to a tunnel.
        #expect(token == .long ? results[1].error?.contains("with status 407") == true : results[1].status == 407, "\(results)")
        #expect(proxy.requestCount <= 8)
    }

    @Test func `a server that closes instead of judging a token is an error`() async throws {
        let server = try TestServer { request in
            request.fields.contains("Authorization") ? .close : .status(401, fields: ["WWW-Authenticate": "Negotiate"])
        }
        let url = try #require(URL(string: "http://localhost:\(server.port)/"))

        let result = try #require(try await run(TicketErrand([Step(url)])).first)

        #expect(result.status == nil)
        #expect(result.error?.contains("closed the connection without a response") == true, "\(result)")
        #expect(result.error?.contains("YII") == false)
    }
}
#endif
