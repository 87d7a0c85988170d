// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// What a server does wrong, and the error that each ends in.
@Suite(.timeLimit(.minutes(1)))
struct BadResponseTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let response: ScriptedResponse
        let kind: HTTPError.Kind

        init(_ description: String, _ response: ScriptedResponse, _ kind: HTTPError.Kind) {
            testDescription = description
            self.response = response
            self.kind = kind
        }

        init(_ description: String, raw: String, _ kind: HTTPError.Kind) {
            self.init(description, .raw(raw), kind)
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    static let cases: [Case] = [
        Case("no head", .close, .noResponse),
        Case("a reset instead of a head", .reset, .connectionLost),
        Case("half a status line", raw: "HTTP/1.1 2", .noResponse),
        Case("a head that is cut off", raw: ok + "A: b\r\n", .connectionLost),
        Case("a reset within the head", ScriptedResponse.ok("x").reset(at: .responseHead(20)), .connectionLost),
        Case("content that is cut off", ScriptedResponse.ok("hello").declaringLength(100), .truncatedContent),
        Case("a reset within the content", ScriptedResponse.ok("hello").reset(at: .responseBody(2)), .connectionLost),
        Case("chunks without an end", ScriptedResponse(200, content: .chunks(["one"], isTerminated: false)).closing(), .truncatedContent),
        Case("a chunk that is cut off", raw: ok + "Transfer-Encoding: chunked\r\n\r\nff\r\nabc", .truncatedContent),
        Case("a reset within a chunk", ScriptedResponse.chunked(["one", "two"]).reset(at: .responseBody(5)), .connectionLost),
        Case("a chunk size that is no number", raw: ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n", .malformedResponse),
        Case("a chunk size beyond all measure", raw: ok + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", .malformedResponse),
        Case("a chunk longer than it says", raw: ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n0\r\n\r\n", .malformedResponse),
        Case("two lengths", raw: ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", .conflictingContentLength),
        Case(
            "a length and chunks", raw: ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .conflictingContentLength),
        Case(
            "chunks and a length", raw: ok + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", .conflictingContentLength),
        Case("a negative length", raw: ok + "Content-Length: -5\r\n\r\nhello", .conflictingContentLength),
        Case("a length that is no number", raw: ok + "Content-Length: five\r\n\r\nhello", .conflictingContentLength),
        Case("no HTTP", raw: "220 mail.example.org ESMTP\r\n", .malformedResponse),
        Case("HTTP/0.9", raw: "<html>hello</html>", .malformedResponse),
        Case(
            "a head of 1 MB", raw: ok + String(repeating: "X-Field: \(String(repeating: "x", count: 1_000))\r\n", count: 1_000) + "\r\n",
            .headTooLarge),
        Case("a field of 1 MB", raw: ok + "X-Field: \(String(repeating: "x", count: 1_000_000))\r\n\r\n", .headTooLarge),
        Case(
            "interim heads without an end",
            raw: String(repeating: "HTTP/1.1 102 Processing\r\nX: \(String(repeating: "x", count: 5_000))\r\n\r\n", count: 60),
            .headTooLarge),
    ]

    @Test(arguments: cases, [false, true])
    func `a broken response ends in its error`(example: Case, isReused: Bool) async throws {
        let server = try TestServer()
        let transport = CurlTransport()
        if isReused {
            server.enqueue(.ok)
            _ = try await transport.get(server.url("/"))
        }
        // libcurl tries once more on a new connection when one that it used again turns out to be closed.
        server.enqueue(example.response, example.response)

        let exchange = try await withLeakCheck(transport.leakCounters) {
            try await transport.exchange(HTTPRequest(method: "POST", url: server.url("/")), into: .collect(limit: 1 << 20))
        }

        #expect(exchange.error?.kind == example.kind, "\(String(describing: exchange.error)) \(exchange.names)")
    }

    @Test func `a first field line that is folded is an error, and does not continue the response before`() async throws {
        let server = try TestServer { request in
            guard request.path == "/folded" else { return .ok("x", fields: ["X-Long": String(repeating: "a", count: request.number * 37)]) }
            return .raw("HTTP/1.1 200 OK\r\n folded: \(request.number)\r\nContent-Length: 0\r\n\r\n")
        }
        let transport = CurlTransport()

        for _ in 0..<100 {
            #expect(try await transport.get(server.url("/")).status == 200)
            #expect(try await transport.get(server.url("/folded")).error?.kind == .malformedResponse)
        }
    }

    @Test func `the same length twice is one length`() async throws {
        let server = try TestServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello") }
        #expect(try await CurlTransport().get(server.url("/")).text == "hello")
    }

    @Test func `content beyond the declared length is dropped and the connection not used again`() async throws {
        let server = try TestServer()
        let transport = CurlTransport()
        server.enqueue(
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", then: .keepAlive))
        server.enqueue(.ok("good"))

        let first = try await transport.get(server.url("/"))
        let second = try await transport.get(server.url("/"))

        #expect(first.text == "hello" && second.text == "good")
        #expect(server.requests.map(\.connection) == [0, 1])
    }

    @Test(arguments: [204, 304])
    func `content that must not be there is dropped`(status: Int) async throws {
        let server = try TestServer()
        let transport = CurlTransport()
        server.enqueue(
            .raw("HTTP/1.1 \(status) X\r\nContent-Length: 39\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", then: .keepAlive))
        server.enqueue(.ok("good"))

        let first = try await transport.get(server.url("/"))
        let second = try await transport.get(server.url("/"))

        #expect(first.status == status && first.error == nil && first.outcome.content.isEmpty)
        #expect(second.status == 200 && second.text == "good")
        // A 304 may well say which length the content would have, and its connection is good.
        #expect(status == 304 || server.requests.map(\.connection) == [0, 1])
    }

    @Test func `a response that trickles is complete in the end`() async throws {
        let gate = TestGate(isOpen: true)
        let server = try TestServer { _ in ScriptedResponse.chunked(["one", "two"]).trickled(by: gate) }
        #expect(try await CurlTransport().get(server.url("/")).text == "onetwo")
    }

    @Test func `a connection that is refused is an error at once`() async throws {
        let port = try UnusedPort()
        #expect(try await CurlTransport().get(port.url()).names == ["end connectFailed"])
        withExtendedLifetime(port) {}
    }

    @Test(arguments: [TestServer.Opening.close, .reset])
    func `a connection that is closed when it is made is an error`(opening: TestServer.Opening) async throws {
        let server = try TestServer { _ in .ok }
        server.enqueue(openings: opening)
        let kind = try await CurlTransport().get(server.url("/")).error?.kind
        #expect([.noResponse, .connectionLost, .connectFailed].contains(kind))
    }

    @Test func `a name without an address is an error`() async throws {
        let url = try #require(URL(string: "http://does-not-exist.invalid/"))
        #expect(try await CurlTransport().get(url).names == ["end hostNotFound"])
    }
}
#endif
