// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// NTLM as a session's requests meet it: challenges of servers and proxies, with whose credentials, and what goes ahead of the next one.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: Session.capabilities.contains(.transportAuthentication), "the engine has neither NTLM nor Negotiate"))
struct NTLMTests {
    private let server: TestServer
    private let session = Session.alone()

    init() throws {
        let logIns = ConnectionLogIns()
        server = try TestServer { logIns.serve($0) }
    }

    private func session(throughPort port: Int) -> Session {
        var configuration = TransportConfiguration()
        configuration.proxy = .proxy(ProxyServer(host: "127.0.0.1", port: port), except: [])
        if let file = try? StartedServer.file("CA_FILE") { configuration.tls.authorities = .pemFile(file) }
        return Session(transport: DefaultTransport.make(configuration), configuration: URLSessionConfiguration.af.ephemeral)
    }

    private func numbers(_ server: TestServer, _ field: String = "Authorization") -> [UInt8?] {
        server.requests.map { NTLMMessage.number(in: $0.fields[field]) }
    }

    // MARK: Servers

    @Test func `a credential answers a challenge, and the user's next request goes over the connection that is logged in`() async throws {
        for path in ["/a", "/b", "/c"] {
            let request = session.request(server.url(path)).authenticate(username: "ada", password: "secret")
            #expect(try await request.serializingString().value == "welcome ada 0")
        }

        #expect(numbers(server) == [nil, 1, 3, nil, nil])
        #expect(server.requests.map(\.path) == ["/a", "/a", "/a", "/b", "/c"])
    }

    @Test func `content is sent again with the proof, and at once where a connection is logged in`() async throws {
        for count in [5, 100_000, 100_000] {
            let request = session.upload(Data(repeating: 0x61, count: count), to: server.url("/"))
            let value = try await request.authenticate(username: "ada", password: "secret").serializingString().value
            #expect(value == "welcome ada \(count)")
        }
    }

    @Test func `two users of one session at a time each get their own content, and who has no credential gets none`() async throws {
        try await withThrowingTaskGroup(of: (String?, DataResponse<String, AFError>).self) { group in
            for number in 0..<90 {
                let user = ["ada", "bob", nil][number % 3]
                group.addTask { [session, server] in
                    let request = session.request(server.url("/\(number)"))
                    if let user { request.authenticate(username: user, password: "secret", persistence: .none) }
                    return (user, await request.serializingString().response)
                }
            }
            for try await (user, response) in group {
                #expect(response.response?.statusCode == (user == nil ? 401 : 200))
                #expect(response.value == (user.map { "welcome \($0) 0" } ?? "who are you?"))
            }
        }
    }

    @Test func `a request without a credential shares what was accepted, unless it was to be kept apart`() async throws {
        let apart = ConnectionLogIns()
        let other = try TestServer { apart.serve($0) }
        for (server, persistence) in [(server, URLCredential.Persistence.forSession), (other, .none)] {
            _ = await session.request(server.url("/")).authenticate(username: "ada", password: "secret", persistence: persistence)
                .serializingString().response
        }

        let shared = await session.request(server.url("/")).serializingString().response
        let refused = await session.request(other.url("/")).serializingString().response

        #expect(shared.value == "welcome ada 0")
        #expect(refused.response?.statusCode == 401)
    }

    @Test func `a log-in is not sent where a redirect leads`() async throws {
        let other = try TestServer { _ in .status(401, fields: ["WWW-Authenticate": "NTLM"], "elsewhere") }
        let logIns = ConnectionLogIns()
        let server = try TestServer { request in
            let response = logIns.serve(request)
            return response.status == 200 ? .redirect(to: other.url("/").absoluteString, status: 307) : response
        }

        for _ in 0..<2 {
            let request = session.upload(Data("x".utf8), to: server.url("/")).authenticate(username: "ada", password: "secret")
            #expect(await request.serializingString().response.value == "elsewhere")
        }

        #expect(other.requests.allSatisfy { !$0.fields.contains("Authorization") })
    }

    @Test func `a refused password ends in the response, is not tried in another way, and does not go ahead again`() async throws {
        let server = try TestServer { request in
            let isOpening = NTLMMessage.number(in: request.fields["Authorization"]) == 1
            return .status(
                401, fields: ["WWW-Authenticate": isOpening ? NTLMMessage.challenge : "NTLM", "WWW-Authenticate": #"Basic realm="r""#], "no"
            )
        }

        for _ in 0..<2 {
            let request = session.request(server.url("/")).authenticate(username: "ada", password: "wrong")
            let response = await request.serializingString().response
            #expect(response.response?.statusCode == 401 && response.value == "no")
        }

        #expect(server.requests.allSatisfy { $0.fields["Authorization"]?.hasPrefix("Basic") != true })
        #expect(server.requests.count { $0.fields["Authorization"] == nil } == 2)
        #expect(server.requestCount <= 8)
    }

    @Test func `a password that is refused later is not sent ahead any more`() async throws {
        let accepts = Locked(true)
        let logIns = ConnectionLogIns()
        let server = try TestServer { request in
            let response = logIns.serve(request)
            return response.status == 200 && !accepts.withLock { $0 }
                ? .status(401, fields: ["WWW-Authenticate": "NTLM"], "no more") : response
        }
        let send = { [session] in
            await session.request(server.url("/")).authenticate(username: "ada", password: "secret").serializingString().response.value
        }

        #expect(await send() == "welcome ada 0")
        accepts.withLock { $0 = false }
        #expect(await send() == "no more")
        let before = server.requestCount
        #expect(await send() == "no more")

        // First without, since nothing is known to be accepted.
        #expect(server.requests[before].fields["Authorization"] == nil)
        #expect(server.requestCount <= before + 4)
    }

    @Test func `challenges without end are an error without a secret in it`() async throws {
        let server = try TestServer { _ in .status(401, fields: ["WWW-Authenticate": NTLMMessage.challenge], "again") }

        let request = session.request(server.url("/")).authenticate(username: "ada", password: "hunter2")
        let response = await request.serializingString().response

        var printed = "\(String(describing: response.error)) \(response.debugDescription)"
        dump(response.error, to: &printed)
        #expect(response.error?.underlyingError.map { "\($0)".contains("leads nowhere") } == true, "\(printed)")
        #expect(!printed.contains("hunter2") && !printed.contains("TlRMTVN"))
        #expect(server.requestCount <= 14)
    }

    // MARK: Proxies

    @Test func `a credential answers a proxy's challenge, and the user's next request goes over the connection that is logged in`()
        async throws
    {
        let logIns = ConnectionLogIns()
        let proxy = try TestServer { logIns.forward($0) }
        let session = session(throughPort: proxy.port)

        for path in ["a", "b"] {
            let request = session.request("http://api.example/\(path)").authenticate(username: "ada", password: "secret")
            #expect(try await request.serializingString().value == "GET http://api.example/\(path) for ada 0")
        }

        #expect(numbers(proxy, "Proxy-Authorization") == [nil, 1, 3, nil])
        #expect(proxy.requests.allSatisfy { !$0.fields.contains("Authorization") })
    }

    #if os(Linux)
    @Test(.enabled(if: StartedServer.https.isExpected, "needs nginx: run Scripts/test"))
    func `a credential opens a proxy's tunnel, and each user has one`() async throws {
        let url = try StartedServer.https.url
        let logIns = ConnectionLogIns()
        let proxy = try TunnelProxy(leadingTo: try #require(url.port)) { asked in
            switch logIns.answer(to: asked.credentials, on: asked.connection) {
            case .letIn: .open
            case .ask(let challenge): .ask(challenge)
            }
        }
        let session = session(throughPort: proxy.port)

        for user in ["ada", "ada", "bob", "ada", nil] {
            let request = session.request(url.appendingPathComponent("message.txt"))
            if let user { request.authenticate(username: user, password: "secret", persistence: .none) }
            #expect(await request.serializingString().response.response?.statusCode == (user == nil ? 407 : 200))
        }

        #expect(proxy.requests.compactMap { NTLMMessage.user(in: $0.credentials) } == ["ada", "bob"])
        #expect(proxy.requests.allSatisfy { $0.requestLine.hasPrefix("CONNECT localhost:") })
    }
    #endif

    @Test func `a proxy and the server behind it each get their own credential`() async throws {
        let (proxyLogIns, serverLogIns) = (ConnectionLogIns(), ConnectionLogIns())
        let proxy = try TestServer { request in
            switch proxyLogIns.answer(to: request.fields["Proxy-Authorization"], on: request.connection) {
            case .letIn: serverLogIns.serve(request)
            case .ask(let challenge): .status(407, fields: ["Proxy-Authenticate": challenge], "proxy")
            }
        }
        let session = session(throughPort: proxy.port)

        for count in [10, 20_000] {
            let request = session.upload(Data(repeating: 0x61, count: count), to: "http://api.example/")
            let value = try await request.authenticate(username: "ada", password: "secret").serializingString().value
            #expect(value == "welcome ada \(count)")
        }

        // The second one had nothing to prove to anybody.
        #expect(proxy.requests.last.map { !$0.fields.contains("Authorization") && !$0.fields.contains("Proxy-Authorization") } == true)
        #expect(proxy.requests.count { NTLMMessage.number(in: $0.fields["Proxy-Authorization"]) == 3 } == 2)
    }

    // MARK: Cancelling

    @Test(arguments: [1, 3] as [UInt8])
    func `cancelling between the messages cancels the request`(message: UInt8) async throws {
        let logIns = ConnectionLogIns()
        let gate = TestGate()
        let server = try TestServer { request in
            let response = logIns.serve(request)
            return NTLMMessage.number(in: request.fields["Authorization"]) == message ? response.stalled(by: gate) : response
        }

        try await withLeakCheck([.connections(to: server)]) {
            let session = Session.alone()
            let request = session.request(server.url("/")).authenticate(username: "ada", password: "secret")
            async let response = request.serializingString().response
            try await gate.waitForWaiters()
            request.cancel()
            #expect(await response.error?.isExplicitlyCancelledError == true)
            gate.open()
            session.cancelAllRequests()
        }
    }
}
