// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import AuthenticationSuite
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// NTLM logs a connection in, at a server, at a proxy and on the way to a tunnel, and what comes over it afterwards is the same user's.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: CurlTransport().capabilities.contains(.transportAuthentication), "this libcurl has neither NTLM nor Negotiate"))
struct ConnectionLogInTests {
    private let api = URL(string: "http://api.example/x")

    private func logIn(_ user: String) -> TransportAuthentication {
        TransportAuthentication(scheme: .ntlm, user: user, password: "secret")
    }

    private func transport(throughPort port: Int) -> CurlTransport {
        .with {
            $0.proxy = .proxy(ProxyServer(host: "127.0.0.1", port: port), except: [])
            if let file = try? StartedServer.file("CA_FILE") { $0.tls.authorities = .pemFile(file) }
        }
    }

    private func numbers(_ server: TestServer, _ field: String) -> [UInt8?] {
        server.requests.map { NTLMMessage.number(in: $0.fields[field]) }
    }

    // MARK: The end

    @Test func `shutting down cancels transfers whose user was one too many, too`() async throws {
        let gate = TestGate()
        let server = try TestServer { request in
            request.target == "/slow" ? ScriptedResponse.ok.stalled(by: gate, at: .responseStart) : .ok
        }
        let transport = CurlTransport()
        let slow = RecordingReceiver()
        _ = transport.start(
            HTTPRequest(url: server.url("/slow")), options: TransferOptions(authentication: logIn("first")), receiver: slow)
        try await gate.waitForWaiters()
        for number in 0..<33 { _ = try await transport.get(server.url("/"), options: TransferOptions(authentication: logIn("\(number)"))) }

        transport.shutDown(cancellingTransfers: true)

        #expect(try await slow.exchange().error?.kind == .cancelled)
        gate.open()
    }

    // MARK: Proxies

    @Test func `a proxy's challenge is answered on one connection, which then needs no more`() async throws {
        let logIns = ConnectionLogIns()
        let proxy = try TestServer { logIns.forward($0) }
        let transport = transport(throughPort: proxy.port)
        let options = TransferOptions(proxyAuthentication: logIn("ada"))

        let first = try await transport.exchange(HTTPRequest(url: try #require(api)), options: options)
        let body = HTTPBody(Data(repeating: 0x61, count: 100_000))
        let second = try await transport.exchange(HTTPRequest(method: "POST", url: try #require(api), body: body), options: options)

        #expect(first.names == ["head 200", "end well"] && first.text == "GET http://api.example/x for ada 0")
        #expect(second.text == "POST http://api.example/x for ada 100000")
        #expect(numbers(proxy, "Proxy-Authorization") == [1, 3, nil])
        #expect(proxy.connectionCount == 1)
        #expect(proxy.requests.allSatisfy { !$0.fields.contains("Authorization") })
    }

    @Test(.enabled(if: StartedServer.https.isExpected, "needs nginx: run Scripts/test"))
    func `a proxy's challenge is answered on the way to a tunnel, which its user's transfers share`() async throws {
        let url = try StartedServer.https.url
        let logIns = ConnectionLogIns()
        let proxy = try TunnelProxy(leadingTo: try #require(url.port)) { asked in
            switch logIns.answer(to: asked.credentials, on: asked.connection) {
            case .letIn: .open
            case .ask(let challenge): .ask(challenge)
            }
        }
        let transport = transport(throughPort: proxy.port)
        let document = url.appendingPathComponent("message.txt")

        for user in ["ada", "bob", "ada", nil, "bob"] {
            let options = TransferOptions(proxyAuthentication: user.map { logIn($0) })
            let exchange = try await transport.exchange(HTTPRequest(url: document), options: options)
            #expect(exchange.status == (user == nil ? 407 : 200), "\(user ?? "nobody"): \(exchange.names)")
        }

        #expect(proxy.requests.map { NTLMMessage.number(in: $0.credentials) } == [1, 3, 1, 3, nil])
        #expect(proxy.requests.map { NTLMMessage.user(in: $0.credentials) } == [nil, "ada", nil, "bob", nil])
    }

    @Test(.enabled(if: StartedServer.https.isExpected, "needs nginx: run Scripts/test"))
    func `a tunnel that was opened for somebody's field is nobody else's`() async throws {
        let url = try StartedServer.https.url
        let proxy = try TunnelProxy(leadingTo: try #require(url.port)) { $0.credentials == nil ? .ask(#"Basic realm="p""#) : .open }
        let transport = transport(throughPort: proxy.port)
        let digest = #"Digest username="a\", nc", realm="p", nonce="1", uri="localhost:1", response=""#
        let steps: [(String?, isNew: Bool)] = [
            ("Basic YQ==", true), ("Basic YQ==", false), ("Basic Yg==", true), (nil, true), (digest + #"1", nc=1"#, true),
            (digest + #"2", nc=2"#, false),
            (digest.replacingOccurrences(of: "a\\", with: "b\\"), true), ("Basic YQ==", false),
        ]

        for (field, isNew) in steps {
            let before = proxy.requests.count
            let fields: HTTPFields = field.map { ["Proxy-Authorization": $0] } ?? [:]
            let exchange = try await transport.exchange(HTTPRequest(url: url.appendingPathComponent("message.txt"), fields: fields))
            #expect(exchange.status == (field == nil ? 407 : 200), "\(field ?? "nobody")")
            #expect(proxy.requests.count == before + (isNew ? 1 : 0), "\(field ?? "nobody")")
        }
    }

    @Test func `a proxy and the server behind it are logged in to apart`() async throws {
        let (proxyLogIns, serverLogIns) = (ConnectionLogIns(), ConnectionLogIns())
        let proxy = try TestServer { request in
            switch proxyLogIns.answer(to: request.fields["Proxy-Authorization"], on: request.connection) {
            case .letIn("ada"): serverLogIns.serve(request)
            case .letIn: .status(403)
            case .ask(let challenge): .status(407, fields: ["Proxy-Authenticate": challenge])
            }
        }
        let transport = transport(throughPort: proxy.port)
        let both = TransferOptions(authentication: logIn("bob"), proxyAuthentication: logIn("ada"))
        let body = HTTPBody(Data(repeating: 0x61, count: 50_000))

        let first = try await transport.exchange(HTTPRequest(url: try #require(api)), options: both)
        let second = try await transport.exchange(HTTPRequest(method: "POST", url: try #require(api), body: body), options: both)
        let proxyOnly = TransferOptions(proxyAuthentication: logIn("ada"))
        let third = try await transport.exchange(HTTPRequest(url: try #require(api)), options: proxyOnly)

        #expect(first.text == "welcome bob 0" && second.text == "welcome bob 50000")
        #expect(third.status == 401)
        #expect(proxy.requests.allSatisfy { NTLMMessage.user(in: $0.fields["Proxy-Authorization"]) != "bob" })
    }

    // MARK: Users

    @Test func `users at the same time never get another's connection, nor does nobody`() async throws {
        let logIns = ConnectionLogIns()
        let server = try TestServer { logIns.serve($0) }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 3 }
        let users = ["ada", "bob", "eve", nil]

        try await withLeakCheck(transport.leakCounters) {
            try await withThrowingTaskGroup(of: (String?, Exchange).self) { group in
                for number in 0..<120 {
                    let user = users[number % users.count]
                    let body = number % 3 == 0 ? HTTPBody(Data(repeating: 0x61, count: number * 300)) : nil
                    let request = HTTPRequest(method: body == nil ? "GET" : "POST", url: server.url("/\(number)"), body: body)
                    group.addTask {
                        let options = TransferOptions(authentication: user.map { logIn($0) })
                        return (user, try await transport.exchange(request, options: options))
                    }
                }
                for try await (user, exchange) in group {
                    #expect(user.map { exchange.text.hasPrefix("welcome \($0) ") } ?? (exchange.status == 401), "\(exchange.text)")
                }
            }
        }
        #expect(server.connectionCount <= 12)
    }

    @Test func `the connections of the user of longest ago are given up when there are too many, and nobody's transfer is`() async throws {
        let logIns = ConnectionLogIns()
        let gate = TestGate()
        let server = try TestServer { request in
            let response = logIns.serve(request)
            return request.path == "/held" && response.status == 200 ? response.stalled(by: gate) : response
        }
        let transport = CurlTransport()
        let held = RecordingReceiver()
        _ = transport.start(HTTPRequest(url: server.url("/held")), options: TransferOptions(authentication: logIn("first")), receiver: held)
        try await gate.waitForWaiters()

        for number in 0..<50 {
            let exchange = try await transport.get(server.url("/"), options: TransferOptions(authentication: logIn("user\(number)")))
            #expect(exchange.text == "welcome user\(number) 0")
        }
        gate.open()

        #expect(try await held.exchange().text == "welcome first 0")
        try await server.waitForOpenConnections(atMost: 32)
        #expect(server.connectionCount == 51)
        transport.shutDown(cancellingTransfers: false)
        try await server.waitForOpenConnections(atMost: 0)
        let late = try await transport.get(server.url("/"), options: TransferOptions(authentication: logIn("first")))
        #expect(late.error?.kind == .shutDown)
    }

    // MARK: Bad input

    /// What comes in place of a second message.
    enum Garbage: String, CaseIterable {
        case nothing = "NTLM"
        case noBase64 = "NTLM ???"
        case noMessage = "NTLM AAAA"
        case empty = "NTLM ="
        case firstMessage, thirdMessage, cut, pointingOutside, long, another

        var field: String {
            switch self {
            case .firstMessage: NTLMMessage.field([1, 0, 0, 0] + Array(repeating: 0, count: 28))
            case .thirdMessage: NTLMMessage.field([3, 0, 0, 0] + Array(repeating: 0, count: 60))
            case .cut: NTLMMessage.field([2, 0, 0, 0, 0, 0])
            // A target's information that would lie behind the message's end (MS-NLMP, 2.2.1.2).
            case .pointingOutside:
                NTLMMessage.field(
                    [2, 0, 0, 0] + [8, 0, 8, 0, 0xF0, 0xFF, 0xFF, 0xFF] + [0x01, 0x82, 0x80, 0] + [1, 2, 3, 4, 5, 6, 7, 8]
                        + [0, 0, 0, 0, 0, 0, 0, 0] + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
            case .long: "NTLM " + String(repeating: "QUJD", count: 3_000)
            case .another: "Negotiate AAAA"
            default: rawValue
            }
        }
    }

    @Test(arguments: Garbage.allCases)
    func `garbage in place of a challenge ends in the response that it stands in`(garbage: Garbage) async throws {
        let server = try TestServer { request in
            let fields: FieldList = [
                "WWW-Authenticate": request.fields.contains("Authorization") ? garbage.field : "NTLM",
                "Proxy-Authenticate": request.fields.contains("Proxy-Authorization") ? garbage.field : "NTLM",
            ]
            return .status(request.target.hasPrefix("/") ? 401 : 407, fields: fields, "no")
        }
        let transport = transport(throughPort: server.port)
        let direct = CurlTransport()
        let tunnel = try #require(URL(string: "https://api.example/"))

        try await withLeakCheck(transport.leakCounters + direct.leakCounters) {
            let atServer = try await direct.get(server.url("/"), options: TransferOptions(authentication: logIn("ada")))
            let atProxy = try await transport.get(try #require(api), options: TransferOptions(proxyAuthentication: logIn("ada")))
            let onTheWay = try await transport.get(tunnel, options: TransferOptions(proxyAuthentication: logIn("ada")))
            #expect(atServer.names == ["head 401", "end well"] && atServer.text == "no")
            #expect(atProxy.names == ["head 407", "end well"] && atProxy.text == "no")
            #expect(onTheWay.names == ["head 407", "end well"], "\(onTheWay.error?.description ?? "")")
        }
        #expect(server.requestCount <= 9)
        #expect(server.requests.allSatisfy { NTLMMessage.user(in: $0.fields["Authorization"]) == nil })
    }

    @Test func `challenges without end end in an error`() async throws {
        let server = try TestServer { request in
            let isProxied = !request.target.hasPrefix("/")
            return .status(
                isProxied ? 407 : 401, fields: [isProxied ? "Proxy-Authenticate" : "WWW-Authenticate": NTLMMessage.challenge], "no")
        }
        let transport = transport(throughPort: server.port)
        let direct = CurlTransport.with { $0.limits.challenges = 3 }
        let tunnel = try #require(URL(string: "https://api.example/"))

        try await withLeakCheck(transport.leakCounters + direct.leakCounters) {
            let exchanges = [
                try await direct.get(server.url("/"), options: TransferOptions(authentication: logIn("ada"))),
                try await transport.get(try #require(api), options: TransferOptions(proxyAuthentication: logIn("ada"))),
                try await transport.get(tunnel, options: TransferOptions(proxyAuthentication: logIn("ada"))),
            ]
            #expect(exchanges.map(\.names) == Array(repeating: ["end credentialsUnusable"], count: 3), "\(exchanges.map(\.error))")
        }
        #expect(server.requests.map(\.method).count { $0 == "CONNECT" } == 11)
        #expect(server.requestCount == 4 + 11 + 11)
    }

    @Test(arguments: [1, 3] as [UInt8])
    func `who closes instead of answering a message leaves an error, and no secret in it`(message: UInt8) async throws {
        let logIns = ConnectionLogIns()
        let server = try TestServer { request in
            let field = request.fields["Authorization"] ?? request.fields["Proxy-Authorization"]
            if NTLMMessage.number(in: field) == message { return .close }
            return request.target.hasPrefix("/") ? logIns.serve(request) : logIns.forward(request)
        }
        let transport = transport(throughPort: server.port)
        let direct = CurlTransport()
        let tunnel = try #require(URL(string: "https://api.example/"))

        try await withLeakCheck(transport.leakCounters + direct.leakCounters) {
            let exchanges = [
                try await direct.get(server.url("/"), options: TransferOptions(authentication: logIn("ada"))),
                try await transport.get(try #require(api), options: TransferOptions(proxyAuthentication: logIn("ada"))),
                try await transport.get(tunnel, options: TransferOptions(proxyAuthentication: logIn("ada"))),
            ]
            // A proxy that goes away while it is logged in to is taken at its last word.
            let ending = message == 1 ? "end noResponse" : "end connectionLost"
            #expect(
                exchanges.map(\.names) == [[ending], [ending], message == 1 ? ["end proxyFailed"] : ["head 407", "end well"]],
                "\(exchanges.map(\.error))")
            for exchange in exchanges {
                var dumped = ""
                dump(exchange.error, to: &dumped)
                #expect(!"\(String(describing: exchange.error)) \(dumped)".contains("secret") && !dumped.contains("TlRMTVN"))
            }
        }
    }

    @Test func `a proxy that closes between the messages is logged in to again or gives its response`() async throws {
        let logIns = ConnectionLogIns()
        let proxy = try TunnelProxy(leadingTo: 1) { asked in
            switch logIns.answer(to: asked.credentials, on: asked.connection) {
            case .letIn: .close
            case .ask(let challenge): .ask(challenge, thenCloses: true)
            }
        }
        let transport = transport(throughPort: proxy.port)
        let tunnel = try #require(URL(string: "https://api.example/"))

        let exchange = try await transport.get(tunnel, options: TransferOptions(proxyAuthentication: logIn("ada")))

        // Its second message is worth nothing on another connection.
        #expect(exchange.status == 407 || exchange.error?.kind == .proxyFailed, "\(exchange.names)")
        #expect(proxy.requests.count <= 4)
        #expect(transport.statistics.liveTransfers == 0)
    }

    @Test(arguments: [1, 3] as [UInt8], [false, true])
    func `cancelling between the messages ends the transfer and its connection, and the next one logs in anew`(
        message: UInt8, atProxy: Bool
    ) async throws {
        let logIns = ConnectionLogIns()
        let gate = TestGate()
        let server = try TestServer { request in
            let response = atProxy ? logIns.forward(request) : logIns.serve(request)
            let field = request.fields[atProxy ? "Proxy-Authorization" : "Authorization"]
            // The answer stands still when half of its head is out.
            return request.path.hasSuffix("/held") && NTLMMessage.number(in: field) == message
                ? response.stalled(by: gate, at: .responseHead(20)) : response
        }
        let transport = atProxy ? transport(throughPort: server.port) : CurlTransport()
        let options =
            atProxy ? TransferOptions(proxyAuthentication: logIn("ada")) : TransferOptions(authentication: logIn("ada"))
        let base = atProxy ? try #require(URL(string: "http://api.example/")) : server.url("/")
        let receiver = RecordingReceiver()

        try await withLeakCheck(transport.leakCounters + [.connections(to: server)]) {
            let control = transport.start(HTTPRequest(url: base.appendingPathComponent("held")), options: options, receiver: receiver)
            try await gate.waitForWaiters()
            control.cancel()
            #expect(try await receiver.exchange().names == ["end cancelled"])
            gate.open()
            try await server.waitForOpenConnections(atMost: 0)

            let next = try await transport.get(base, options: options)
            #expect(next.status == 200 && next.text.contains("ada"))
            transport.shutDown(cancellingTransfers: true)
            try await server.waitForOpenConnections(atMost: 0)
        }
        #expect(server.connectionCount == 2)
    }
}
#endif
