// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MisbehaviourTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
    private static let hello = ScriptedResponse(200, content: .bytes(Data("hello".utf8)))

    @Test(
        arguments: [
            (ExchangePhase.requestHead, ""), (.requestBody(2), ""), (.requestBody(100), ""), (.responseStart, ""),
            (.responseHead(0), ""), (.responseHead(10), "HTTP/1.1 2"), (.responseHead(1000), head), (.responseHeadEnd, head),
            (.responseBody(0), head), (.responseBody(3), head + "hel"), (.responseBody(5), head + "hello"),
            (.responseBody(1000), head + "hello"), (.responseEnd, head + "hello"),
        ])
    func `a response is cut off where the script says`(phase: ExchangePhase, expected: String) async throws {
        let server = try TestServer()
        server.enqueue(Self.hello.closed(at: phase), Self.hello.reset(at: phase))

        let first = try RawClient(port: server.port)
        first.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
        #expect(first.readToEnd() == (expected, .closed))

        let second = try RawClient(port: server.port)
        second.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
        let (text, end) = second.readToEnd()
        // A reset may throw away what the client's system has received but the client has not read.
        #expect(expected.hasPrefix(text))
        #expect(end == .reset)
    }

    @Test func `connections are closed, reset or held back as they are accepted`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in Self.hello }
        server.enqueue(openings: .close, .reset, .stall(gate), .serve)

        #expect(try RawClient(port: server.port).readToEnd() == ("", .closed))
        #expect(try RawClient(port: server.port).readToEnd().end == .reset)
        let stalled = try RawClient(port: server.port)
        stalled.get("/")
        try await gate.waitForWaiters()
        let served = try RawClient(port: server.port)
        served.get("/")
        #expect(served.readResponse().body == "hello")
        #expect(server.requests.map(\.connection) == [3])
        gate.open()
        #expect(stalled.readResponse().body == "hello")
    }

    @Test(arguments: [ExchangePhase.requestHead, .responseStart, .responseHead(7), .responseHeadEnd, .responseBody(2), .responseEnd])
    func `a response stalls until its gate opens`(phase: ExchangePhase) async throws {
        let gate = TestGate()
        let server = try TestServer()
        server.enqueue(Self.hello.stalled(by: gate, at: phase), Self.hello)
        let client = try RawClient(port: server.port)

        client.get("/")
        client.get("/")
        try await gate.waitForWaiters()
        #expect(server.requestCount == (phase == .requestHead ? 0 : 1))
        gate.open()

        #expect(client.readResponse().body == "hello")
        #expect(client.readResponse().body == "hello")
    }

    @Test func `a client that leaves ends a stalled exchange`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in Self.hello.stalled(by: gate) }
        var client: RawClient? = try RawClient(port: server.port)

        client?.get("/")
        try await gate.waitForWaiters()
        client = nil

        try await server.waitForOpenConnections(atMost: 0)
        #expect(gate.waiterCount == 0)
    }

    @Test func `a response trickles by the test's leave`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in Self.hello.trickled(by: gate, pieceSize: 10) }
        let client = try RawClient(port: server.port)

        client.get("/")
        gate.release(1)
        #expect(client.read(count: 10) == "HTTP/1.1 2")
        try await gate.waitForWaiters()
        #expect(server.requests[0].responseByteCount == 10)
        gate.release(2)
        #expect(client.read(count: 20) == "00 OK\r\nContent-Lengt")
        gate.open()

        #expect(client.read(count: 13) == "h: 5\r\n\r\nhello")
    }

    @Test func `a throttled response goes by the clock it was given`() async throws {
        let clock = TestClock()
        let server = try TestServer { _ in Self.hello.throttled(pieceSize: 20, pause: .seconds(1), clock: clock) }
        let client = Kept(try RawClient(port: server.port))

        client.value.get("/")
        #expect(client.value.read(count: 20) == "HTTP/1.1 200 OK\r\nCon")
        #expect(try await clock.waitForSleeper() == [.seconds(1)])
        #expect(server.requests[0].responseByteCount == 20)
        clock.advance(by: .seconds(1))

        #expect(await RawClient.blocking { client.value.read(count: 18) } == "tent-Length: 5\r\n\r\n")
    }

    @Test func `an upload is not read until the gate opens`() async throws {
        let gate = TestGate()
        let server = try TestServer(
            .init {
                $0.bodyPolicy = .count; $0.receiveBufferSize = 16 * 1024
            })
        server.enqueue(ScriptedResponse.ok.stalled(by: gate, at: .requestHead))
        let client = Kept(try RawClient(port: server.port))
        let size = 32 << 20

        async let isSent = RawClient.blocking {
            client.value.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
            return client.value.send(Data(repeating: 1, count: size))
        }
        try await gate.waitForWaiters()
        #expect(server.requests[0].bodyByteCount == 0)
        gate.open()

        #expect(await isSent)
        try await server.waitForBody(byteCount: size)
        #expect(try await server.waitForRequests(count: 1)[0].bodyByteCount == size)
    }

    @Test func `a client that does not read stops the response`() async throws {
        let size = 64 << 20
        let server = try TestServer(.init { $0.stalledWriteThreshold = .milliseconds(50) }) { _ in .repeating(Data("ab".utf8), count: size)
        }
        let client = try RawClient(port: server.port, receiveBufferSize: 16 * 1024)

        client.get("/")
        let written = try await server.waitForStalledResponse()
        #expect(written < size / 2)
        #expect(client.readResponse().body.utf8.count == size)

        #expect(server.requests[0].responseByteCount > size)
    }

    @Test func `an early response comes before the body is read, which is read then`() async throws {
        let server = try TestServer()
        server.enqueue(ScriptedResponse.status(413).early(), Self.hello)
        let client = try RawClient(port: server.port)

        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")
        #expect(client.readResponse().head.hasPrefix("HTTP/1.1 413 "))
        #expect(server.requestCount == 0)
        client.send("bodyGET /next HTTP/1.1\r\nHost: a\r\n\r\n")

        #expect(client.readResponse().body == "hello")
        #expect(server.requests.map(\.bodyText) == ["body", ""])
    }

    @Test func `an early response that closes reaches a client that is still sending`() async throws {
        let server = try TestServer(
            .init { $0.answersHead = { $0.path == "/big" ? ScriptedResponse.status(413, "no").early().closing() : nil } })
        let client = try RawClient(port: server.port)

        client.send("POST /big HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n")
        #expect(client.send(Data(repeating: 1, count: 8_000_000)))

        #expect(client.readResponse().body == "no")
    }

    @Test func `an early response to a request without a body is an ordinary one`() throws {
        let server = try TestServer()
        server.enqueue(Self.hello.early().closing())
        let client = try RawClient(port: server.port)

        client.get("/")

        #expect(client.readToEnd().text.hasSuffix("\r\n\r\nhello"))
        #expect(server.requestCount == 1)
    }
}
