// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import CurlEngine

@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test func `transfers one after the other use one connection and one easy handle`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let transport = CurlTransport()

        for _ in 0..<20 { #expect(try await transport.get(server.url("/")).text == "x") }

        #expect(server.connectionCount == 1)
        #expect(
            transport.statistics
                == CurlEngineStatistics(
                    liveTransfers: 0, handlesInUse: 0, pooledHandles: 1, openSockets: 1,
                    connectionsOpened: 1))
    }

    @Test func `no more connections are opened than allowed, and all that wait have their turn in order`() async throws {
        let gate = TestGate()
        let server = try TestServer { request in ScriptedResponse.ok(request.path).stalled(by: gate) }
        let other = try TestServer { _ in .ok }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 3 }
        let receivers = (0..<30).map { _ in RecordingReceiver() }
        for (index, receiver) in receivers.enumerated() {
            _ = transport.start(HTTPRequest(url: server.url("/\(index)")), options: TransferOptions(), receiver: receiver)
        }

        try await gate.waitForWaiters(3)
        // Commands are carried out in order: when this one has ended, all thirty have begun or stand in line.
        #expect(try await transport.get(other.url("/")).error == nil)
        #expect(server.requests.count == 3)
        #expect(transport.statistics.handlesInUse == 3 && transport.statistics.liveTransfers == 30)
        gate.open()

        for (index, receiver) in receivers.enumerated() { #expect(try await receiver.exchange().text == "/\(index)") }
        #expect(server.connectionCount == 3)
        #expect(server.requests.count == 30)
    }

    @Test func `urgent transfers come before patient ones`() async throws {
        let gate = TestGate()
        let server = try TestServer { request in request.path == "/first" ? ScriptedResponse.ok.stalled(by: gate) : .ok }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        var receivers: [RecordingReceiver] = []
        for (path, priority) in [("/first", 0.5), ("/patient", 0.1), ("/normal", 0.5), ("/urgent", 0.9)] as [(String, Float)] {
            let receiver = RecordingReceiver()
            receivers.append(receiver)
            _ = transport.start(HTTPRequest(url: server.url(path)), options: TransferOptions(priority: priority), receiver: receiver)
        }
        try await gate.waitForWaiters()
        gate.open()

        for receiver in receivers { #expect(try await receiver.exchange().error == nil) }
        #expect(server.requests.map(\.path) == ["/first", "/urgent", "/normal", "/patient"])
    }

    @Test(arguments: [Float.nan, .infinity, -1, 0, 1, 7])
    func `any priority will do`(priority: Float) async throws {
        let server = try TestServer { _ in .ok }
        #expect(try await CurlTransport().get(server.url("/"), options: TransferOptions(priority: priority)).status == 200)
    }

    @Test func `without a limit every transfer has its connection`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in ScriptedResponse.ok.stalled(by: gate) }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 0 }
        let receivers = (0..<20).map { _ in RecordingReceiver() }
        for receiver in receivers { _ = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver) }

        try await gate.waitForWaiters(20)
        gate.open()

        for receiver in receivers { #expect(try await receiver.exchange().error == nil) }
    }

    @Test func `a connection that the server closes while idle is replaced`() async throws {
        let server = try TestServer()
        let transport = CurlTransport()
        server.enqueue(.ok("one").closing(), .ok("two"))
        #expect(try await transport.get(server.url("/")).text == "one")
        try await server.waitForOpenConnections(atMost: 0)
        #expect(try await transport.get(server.url("/")).text == "two")
    }

    @Test func `cancelling frees the connection's place for the next`() async throws {
        let gate = TestGate()
        let server = try TestServer { request in request.path == "/stuck" ? ScriptedResponse.ok.stalled(by: gate) : .ok("next") }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        let stuck = RecordingReceiver()
        let control = transport.start(HTTPRequest(url: server.url("/stuck")), options: TransferOptions(), receiver: stuck)
        let waiting = RecordingReceiver()
        let waitingControl = transport.start(HTTPRequest(url: server.url("/waiting")), options: TransferOptions(), receiver: waiting)
        async let next = transport.get(server.url("/next"))
        try await gate.waitForWaiters()

        waitingControl.cancel()
        control.cancel()

        #expect(try await stuck.exchange().names == ["end cancelled"])
        #expect(try await waiting.exchange().names == ["end cancelled"])
        #expect(try await next.text == "next")
        #expect(!server.requests.map(\.path).contains("/waiting"))
        gate.open()
    }

    // MARK: The end of a transport

    @Test func `a transport that is let go of closes its connections after its last transfer`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in ScriptedResponse.ok("late").stalled(by: gate) }
        try await withLeakCheck([.connections(to: server)]) {
            let receiver = RecordingReceiver()
            do {
                let transport = CurlTransport()
                _ = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
            }
            try await gate.waitForWaiters()
            gate.open()
            #expect(try await receiver.exchange().text == "late")
            try await server.waitForOpenConnections(atMost: 0)
        }
    }

    @Test func `a transport that is shut down refuses what is new and finishes what is under way`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in ScriptedResponse.ok("late").stalled(by: gate) }
        let transport = CurlTransport()
        let receiver = RecordingReceiver()
        _ = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver)
        try await gate.waitForWaiters()

        transport.shutDown(cancellingTransfers: false)
        transport.shutDown(cancellingTransfers: false)
        #expect(try await transport.get(server.url("/")).names == ["end shutDown"])
        gate.open()

        #expect(try await receiver.exchange().text == "late")
        try await server.waitForOpenConnections(atMost: 0)
        #expect(try await transport.get(server.url("/")).names == ["end shutDown"])
        #expect(
            transport.statistics
                == CurlEngineStatistics(liveTransfers: 0, handlesInUse: 0, pooledHandles: 0, openSockets: 0, connectionsOpened: 1))
    }

    @Test func `shutting down can cancel what is under way and what waits`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in ScriptedResponse.ok.stalled(by: gate) }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 2 }
        let receivers = (0..<5).map { _ in RecordingReceiver() }
        for receiver in receivers { _ = transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver) }
        try await gate.waitForWaiters(2)

        transport.shutDown(cancellingTransfers: true)

        for receiver in receivers { #expect(try await receiver.exchange().names == ["end cancelled"]) }
        try await server.waitForOpenConnections(atMost: 0)
        gate.open()
    }

    @Test func `hundreds of transports leave nothing behind`() async throws {
        let server = try TestServer { _ in .ok("x") }
        try await withLeakCheck([.connections(to: server)]) {
            for _ in 0..<300 {
                let exchange = try await CurlTransport().get(server.url("/"))
                #expect(exchange.text == "x")
            }
        }
    }

    // MARK: Ways to connect

    @Test func `a Unix-domain socket can stand for every host`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("curl-engine-\(UUID().uuidString.prefix(8)).socket").path
        let server = try TestServer(.listening(on: .unixSocket(path: path))) { request in .ok(request.fields["Host"] ?? "") }
        let transport = CurlTransport.with { $0.unixSocketPath = path }

        let exchange = try await transport.get(try #require(URL(string: "http://api.example/v1")))

        #expect(exchange.text == "api.example")
        #expect(server.requests.map(\.target) == ["/v1"])
    }

    @Test func `IPv6 addresses work`() async throws {
        let server: TestServer
        do { server = try TestServer(.listening(on: .ipv6)) { _ in .ok("six") } } catch { return }
        let exchange = try await CurlTransport().get(server.url("/"))
        #expect(exchange.text == "six")
        #expect(exchange.outcome.metrics?.remoteAddress == "::1")
    }

    @Test func `addresses can be given instead of looked up`() async throws {
        let server = try TestServer { request in .ok(request.fields["Host"] ?? "") }
        let transport = CurlTransport.with { $0.resolvedAddresses = ["api.example:\(server.port)": ["127.0.0.1"]] }
        let exchange = try await transport.get(try #require(URL(string: "http://api.example:\(server.port)/")))
        #expect(exchange.text == "api.example:\(server.port)")
    }

    @Test func `a thousand origins are served, and few connections and handles are kept`() async throws {
        let server = try TestServer(.init { $0.recordsRequests = false }) { .ok($0.fields["Host"] ?? "") }
        let origins = (0..<1000).map { "host-\($0).example:\(server.port)" }
        let transport = CurlTransport.with { $0.resolvedAddresses = Dictionary(uniqueKeysWithValues: origins.map { ($0, ["127.0.0.1"]) }) }

        let answers = try await withThrowingTaskGroup(of: [String?].self) { group in
            for worker in 0..<50 {
                group.addTask {
                    var answers: [String?] = []
                    for index in stride(from: worker, to: 2 * origins.count, by: 50) {
                        let url = try #require(URL(string: "http://\(origins[index % origins.count])/"))
                        answers.append(try await transport.get(url).text)
                    }
                    return answers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }

        #expect(answers.count == 2000 && Set(answers) == Set(origins))
        let statistics = transport.statistics
        #expect(statistics.openSockets <= 100 && statistics.pooledHandles <= 50 && statistics.liveTransfers == 0, "\(statistics)")
    }

    @Test func `an address table that cannot be read fails each transfer`() async throws {
        let transport = CurlTransport.with { $0.resolvedAddresses = ["api.example": ["127.0.0.1"]] }
        let url = try #require(URL(string: "http://api.example/"))
        #expect(try await transport.get(url).error?.reason.contains("resolvedAddresses") == true)
    }

    @Test func `the address to send from can be given`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let transport = CurlTransport.with { $0.localInterface = "127.0.0.1" }
        #expect(try await transport.get(server.url("/")).text == "x")
        let wrong = CurlTransport.with { $0.localInterface = "if!no-such-interface" }
        #expect(try await wrong.get(server.url("/")).error?.kind == .connectFailed)
    }

    @Test func `HTTP 2 is spoken from the first byte if asked for, which an older server does not understand`() async throws {
        let server = try TestServer { _ in .ok }
        let exchange = try await CurlTransport().get(server.url("/"), options: TransferOptions(versions: .http2PriorKnowledge))
        #expect([.malformedResponse, .connectionLost, .noResponse].contains(exchange.error?.kind))
    }
}
#endif
