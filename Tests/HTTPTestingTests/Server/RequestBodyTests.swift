// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestBodyTests {
    @Test func `a chunked body is decoded, its trailers kept`() async throws {
        let server = try TestServer { request in .ok(request.bodyText) }
        let client = try RawClient(port: server.port)

        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\nA\r\n 123456789\r\n0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n"
        )

        #expect(client.readResponse().body == "hello 123456789")
        #expect(server.requests[0].trailers == ["X-Sum": "1", "X-Sum": "2"])
        #expect(server.requests[0].bodyByteCount == 15)
    }

    @Test func `a chunked body may arrive a byte at a time`() throws {
        let server = try TestServer { request in .ok(request.bodyText) }
        let client = try RawClient(port: server.port)

        for byte in "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8 {
            client.send(Data([byte]))
        }

        #expect(client.readResponse().body == "abc")
    }

    @Test(arguments: [TestServer.BodyPolicy.keep(limit: 3), .count, .hash])
    func `content is kept, counted or hashed`(policy: TestServer.BodyPolicy) async throws {
        let server = try TestServer(.init { $0.bodyPolicy = policy }) { _ in .ok }
        let client = try RawClient(port: server.port)
        let content = Data((0..<200_003).map { UInt8(truncatingIfNeeded: $0) })

        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.count)\r\n\r\n")
        client.send(content)
        let request = try await server.waitForRequests(count: 1)[0]

        #expect(request.bodyByteCount == content.count)
        #expect(request.body == (policy == .keep(limit: 3) ? content.prefix(3) : Data()))
        #expect(request.bodyHash == (policy == .hash ? ContentHash.of(content) : nil))
    }

    @Test(arguments: Seeds.kept + Seeds.fresh(count: 20))
    func `the hash depends on the bytes, not on their pieces`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let content = (0..<Int.random(in: 0...100, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }

        var hash = ContentHash()
        var rest = content[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 0...12, using: &random))
            piece.withUnsafeBytes { hash.update($0) }
            rest = rest.dropFirst(piece.count)
        }

        #expect(hash.value == ContentHash.of(content))
        #expect(hash.value != ContentHash.of(content + [0]))
        if let first = content.first { #expect(hash.value != ContentHash.of([first ^ 1] + content.dropFirst())) }
    }

    @Test func `100 is sent to a client that waits for it`() async throws {
        let server = try TestServer { request in .ok(request.bodyText) }
        let client = try RawClient(port: server.port)

        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
        #expect(client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("body")

        #expect(client.readResponse().body == "body")
    }

    @Test func `the expectation can be refused`() throws {
        let server = try TestServer(.init { $0.expectation = .refuse }) { _ in .ok }
        let client = try RawClient(port: server.port)

        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")

        #expect(client.readResponse().head == "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(client.readToEnd().end == .closed)
        #expect(server.requestCount == 0)
    }

    @Test func `the expectation can be ignored`() throws {
        let server = try TestServer(.init { $0.expectation = .ignore }) { request in .ok(request.bodyText) }
        let client = try RawClient(port: server.port)

        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbody")

        #expect(client.readResponse().head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `a client that leaves in the middle of a body breaks no rule`() async throws {
        let server = try TestServer { _ in .ok }
        var client: RawClient? = try RawClient(port: server.port)

        client?.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf")
        try await server.waitForBody(byteCount: 4)
        client = nil
        try await server.waitForOpenConnections(atMost: 0)

        #expect(server.requests.map(\.isComplete) == [false])
        #expect(server.requestCount == 0)
        #expect(server.protocolViolations.isEmpty)
    }
}
