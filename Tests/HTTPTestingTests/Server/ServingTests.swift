// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServingTests {
    @Test func `the queue answers first, then the handler`() throws {
        let server = try TestServer { request in .ok("handled \(request.target)") }
        server.enqueue(.status(503, fields: ["Retry-After": "5"]), .ok("queued"))
        let client = try RawClient(port: server.port)

        client.get("/a")
        #expect(client.readResponse().head == "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n")
        client.get("/b")
        #expect(client.readResponse().body == "queued")
        client.get("/c?x=1")
        #expect(client.readResponse().body == "handled /c?x=1")
        #expect(server.unusedResponseCount == 0)
    }

    @Test func `without a handler the answer is 404`() throws {
        let server = try TestServer()
        let client = try RawClient(port: server.port)

        client.get("/")

        #expect(client.readResponse().head == "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `a request is recorded as it was sent`() async throws {
        let server = try TestServer()
        server.enqueue(.ok, .ok)
        let client = try RawClient(port: server.port)

        client.send("PUT /a%20b?c=d+e&f HTTP/1.1\r\nHost: test\r\nX-Two: 1\r\nx-two:  2 \r\nContent-Length: 5\r\n\r\nhello")
        _ = client.readResponse()
        client.get("/again")
        let requests = try await server.waitForRequests(count: 2)

        #expect(requests.map(\.method) == ["PUT", "GET"])
        #expect(requests[0].target == "/a%20b?c=d+e&f")
        #expect(requests[0].path == "/a%20b")
        #expect(requests[0].queryItems == ["c": "d e", "f": ""])
        #expect(requests[0].fields == ["Host": "test", "X-Two": "1", "x-two": "2", "Content-Length": "5"])
        #expect(requests[0].fields.values("X-TWO") == ["1", "2"])
        #expect(requests[0].bodyText == "hello")
        #expect("\(requests[0])" == "PUT /a%20b?c=d+e&f HTTP/1.1 (5 bytes of content, connection 0, request 0)")
        #expect(requests[0].bodyByteCount == 5)
        #expect(requests.map(\.connection) == [0, 0])
        #expect(requests.map(\.indexOnConnection) == [0, 1])
        #expect(requests.map(\.isComplete) == [true, true])
        #expect(server.protocolViolations.isEmpty)
    }

    @Test func `requests sent in one go are answered one after the other`() throws {
        let server = try TestServer { request in .ok(request.path) }
        let client = try RawClient(port: server.port)

        client.send(String(repeating: "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", count: 500))

        for _ in 0..<500 { #expect(client.readResponse().body == "/x") }
    }

    @Test(arguments: [100, 64 * 1024 - 2, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 200_000])
    func `a head of any size up to the limit is read`(size: Int) async throws {
        let server = try TestServer { request in .ok(request.fields["X"] ?? "none") }
        let client = try RawClient(port: server.port)
        let start = "GET / HTTP/1.1\r\nHost: a\r\nX: "
        let value = String(repeating: "v", count: size - start.utf8.count - 4)

        client.send(start + value + "\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")

        #expect(client.readResponse().body == value)
        #expect(client.readResponse().body == "none")
        #expect(server.requests.first?.rawHead.count == size)
    }

    @Test func `a head past the limit gets 400 and is named`() throws {
        let server = try TestServer(.init { $0.headLimit = 1000 })
        let client = try RawClient(port: server.port)

        client.get("/", fields: "X: " + String(repeating: "v", count: 2000) + "\r\n")

        #expect(client.readToEnd().text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(server.protocolViolations == ["the head is longer than 1000 bytes"])
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/3\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    ])
    func `a request against the grammar gets 400 and is named`(bytes: String) throws {
        let server = try TestServer { _ in .ok }
        let client = try RawClient(port: server.port)

        client.send(bytes)

        #expect(client.readToEnd().text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(server.protocolViolations.count == 1)
    }

    @Test func `the client's wish to close is met`() throws {
        let server = try TestServer { _ in .ok }
        let client = try RawClient(port: server.port)

        client.get("/", fields: "Connection: close\r\n")

        #expect(client.readToEnd() == ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", .closed))
    }

    @Test func `HTTP 1.0 closes unless asked to keep the connection`() throws {
        let server = try TestServer { _ in .ok }
        let client = try RawClient(port: server.port)

        client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(client.readResponse().head == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(client.readToEnd().end == .closed)
    }

    @Test func `it listens on IPv6`() throws {
        let server = try TestServer(.listening(on: .ipv6)) { _ in .ok("six") }
        let client = try RawClient(ipv6Port: server.port)

        client.get("/")

        #expect(client.readResponse().body == "six")
        #expect(server.url("/a").absoluteString == "http://[::1]:\(server.port)/a")
    }

    @Test func `it listens on a path and removes it`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("http-testing-\(UUID()).sock").path
        let server = try TestServer(.listening(on: .unixSocket(path: path))) { _ in .ok("unix") }
        let client = try RawClient(path: path)

        client.get("/")
        #expect(client.readResponse().body == "unix")
        server.close()

        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a path that is too long or taken is an error`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("http-testing-\(UUID()).sock").path
        let first = try TestServer(.listening(on: .unixSocket(path: path)))

        #expect(throws: TestServerError.self) { try TestServer(.listening(on: .unixSocket(path: path))) }
        #expect(throws: TestServerError.self) {
            try TestServer(.listening(on: .unixSocket(path: String(repeating: "p", count: 200))))
        }
        first.close()
    }

    @Test func `300 connections are served at once`() async throws {
        let gate = TestGate()
        let server = try TestServer { request in ScriptedResponse.ok(request.path).stalled(by: gate) }
        let clients = try (0..<300).map { _ in try RawClient(port: server.port) }

        for (number, client) in clients.enumerated() { client.get("/\(number)") }
        try await gate.waitForWaiters(300)
        #expect(server.openConnectionCount == 300)
        gate.open()

        for (number, client) in clients.enumerated() { #expect(client.readResponse().body == "/\(number)") }
    }

    @Test func `a failed start leaves the existing socket of another server alone`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("http-testing-\(UUID()).sock").path
        let server = try TestServer(.listening(on: .unixSocket(path: path))) { _ in .ok("still here") }

        _ = try? TestServer(.listening(on: .unixSocket(path: path)))
        let client = try RawClient(path: path)
        client.get("/")

        #expect(client.readResponse().body == "still here")
        server.close()
    }
}
