// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// The limits are real time here, and short: none of these tests waits for longer than the limit that it is about.
@Suite(.timeLimit(.minutes(1)))
struct TimeoutTests {
    private let transport = CurlTransport()
    private let short = Duration.milliseconds(200)

    private func options(connect: Duration? = nil, idle: Duration? = nil, resource: Duration? = nil) -> TransferOptions {
        TransferOptions(timeouts: Timeouts(connect: connect, idle: idle, resource: resource))
    }

    private func kind(_ url: URL, _ options: TransferOptions) async throws -> HTTPError.Kind? {
        try await withLeakCheck(transport.leakCounters) {
            try await transport.get(url, options: options).error?.kind
        }
    }

    @Test(arguments: [ExchangePhase.responseStart, .responseHead(10), .responseHeadEnd, .responseBody(3)])
    func `a server that falls silent is an idle timeout`(phase: ExchangePhase) async throws {
        let gate = TestGate()
        let server = try TestServer { _ in ScriptedResponse.ok("content").stalled(by: gate, at: phase) }
        #expect(try await kind(server.url("/"), options(idle: short)) == .idleTimedOut)
    }

    @Test func `a server that accepts and never answers a handshake is a connect timeout`() async throws {
        let server = try TestServer()
        server.enqueue(openings: .stall(TestGate()))
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        #expect(try await kind(url, options(connect: short)) == .connectTimedOut)
    }

    @Test func `the connect limit is over once the connection stands`() async throws {
        let clock = ContinuousClock()
        let server = try TestServer { _ in ScriptedResponse.ok("slow").throttled(pieceSize: 20, pause: .milliseconds(300), clock: clock) }
        let exchange = try await transport.get(server.url("/"), options: options(connect: .seconds(1)))
        #expect(exchange.text == "slow")
    }

    @Test func `a server that trickles is ended by the resource limit, not by the idle one`() async throws {
        let clock = ContinuousClock()
        let server = try TestServer { _ in
            ScriptedResponse.ok(String(repeating: "x", count: 1_000)).throttled(pieceSize: 1, pause: .milliseconds(20), clock: clock)
        }
        #expect(try await kind(server.url("/"), options(idle: .seconds(20), resource: .milliseconds(300))) == .resourceTimedOut)
    }

    @Test func `time spent waiting for a connection counts`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in ScriptedResponse.ok.stalled(by: gate) }
        let limited = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        let first = RecordingReceiver()
        _ = limited.start(HTTPRequest(url: server.url("/first")), options: TransferOptions(), receiver: first)
        try await server.waitForRequestHeads(count: 1)

        #expect(try await limited.get(server.url("/second"), options: options(idle: short)).names == ["end idleTimedOut"])

        gate.open()
        #expect(try await first.exchange().error == nil)
        #expect(server.requests.map(\.path) == ["/first"])
    }

    @Test func `a reader that pauses is not idle`() async throws {
        let server = try TestServer(.init { $0.stalledWriteThreshold = .seconds(3) }) { _ in
            .repeating(Data("x".utf8), count: 200_000_000)
        }
        let receiver = RecordingReceiver(.stream, demand: .pause)
        let control = transport.start(HTTPRequest(url: server.url("/")), options: options(idle: .seconds(2)), receiver: receiver)
        // Stalls for longer than the idle limit.
        try await server.waitForStalledResponse()
        #expect(receiver.endCount == 0)
        control.cancel()
        #expect(try await receiver.exchange().error?.kind == .cancelled)
    }

    @Test func `a suspended transfer is not idle, but its resource limit runs`() async throws {
        let server = try TestServer { _ in .ok }
        let receiver = RecordingReceiver()
        let control = transport.start(
            HTTPRequest(url: server.url("/")), options: options(idle: .milliseconds(50), resource: .milliseconds(300)),
            receiver: receiver)
        control.suspend()
        // Either it was quicker than the suspension, or it ends by the limit that does not stand still.
        let kind = try await receiver.exchange().error?.kind
        #expect(kind == nil || kind == .resourceTimedOut)
    }

    @Test func `a decision that never comes is ended by the resource limit`() async throws {
        let server = try TestServer { _ in .ok }
        let receiver = RecordingReceiver(.wait)
        let control = transport.start(
            HTTPRequest(url: server.url("/")), options: options(idle: .seconds(1), resource: .seconds(2)), receiver: receiver)
        #expect(try await receiver.exchange().names == ["head 200", "end resourceTimedOut"])
        control.decide(.collect(limit: 1))
    }
}
#endif
