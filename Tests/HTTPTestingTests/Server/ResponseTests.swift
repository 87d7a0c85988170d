// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ResponseTests {
    /// What the server writes for one request, until it closes.
    private func bytes(of response: ScriptedResponse, method: String = "GET") throws -> (text: String, end: RawClient.End) {
        let server = try TestServer()
        server.enqueue(response)
        let client = try RawClient(port: server.port)
        client.send("\(method) / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return client.readToEnd()
    }

    @Test func `text is sent with its type and length`() throws {
        let (text, end) = try bytes(of: .ok("hello"))

        #expect(
            text == "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        #expect(end == .closed)
    }

    @Test func `interim heads come first`() throws {
        let response = ScriptedResponse.ok.interim(100).interim(103, fields: ["Link": "</a>"])

        #expect(
            try bytes(of: response).text
                == "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    @Test func `chunks, a wrong size and trailers are written as given`() throws {
        var response = ScriptedResponse.chunked(["hello", .init(Data("x".utf8), sizeLine: "zz")], trailers: ["Digest": "1"])
        response.reason = "Fine"

        #expect(
            try bytes(of: response).text
                == "HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "5\r\nhello\r\nzz\r\nx\r\n0\r\nDigest: 1\r\n\r\n")
    }

    @Test func `a chunked body can lack its end`() throws {
        let response = ScriptedResponse(200, content: .chunks(["hello"], isTerminated: false))

        #expect(try bytes(of: response).text.hasSuffix("\r\n\r\n5\r\nhello\r\n"))
    }

    @Test func `to HEAD only the head is sent, unless content is sent on purpose`() throws {
        #expect(try bytes(of: .ok("hello"), method: "HEAD").text.hasSuffix("Content-Length: 5\r\nConnection: close\r\n\r\n"))
        #expect(try bytes(of: .ok("hello").sendingForbiddenContent(), method: "HEAD").text.hasSuffix("\r\n\r\nhello"))
    }

    @Test(arguments: [204, 304])
    func `204 and 304 have no content, unless it is sent on purpose`(status: Int) throws {
        let plain = try bytes(of: .status(status, "hello")).text
        let forbidden = try bytes(of: .status(status, "hello").sendingForbiddenContent()).text

        #expect(!plain.contains("Content-Length") && plain.hasSuffix("\r\n\r\n"))
        #expect(forbidden.contains("Content-Length: 5\r\n") && forbidden.hasSuffix("\r\n\r\nhello"))
    }

    @Test func `conflicting lengths are sent as given`() throws {
        let response = ScriptedResponse.ok("hello", fields: ["Content-Length": "5", "Content-Length": "6"])

        #expect(
            try bytes(of: response).text.hasPrefix(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\nContent-Type: text/plain; charset=utf-8\r\nConnection"))
    }

    @Test func `content shorter than declared ends in a close without notice`() throws {
        let server = try TestServer { _ in .ok("hello").declaringLength(10) }
        let client = try RawClient(port: server.port)

        client.get("/")
        let (text, end) = client.readToEnd()

        #expect(text.contains("Content-Length: 10\r\n") && text.hasSuffix("\r\n\r\nhello") && !text.contains("Connection"))
        #expect(end == .closed)
    }

    @Test func `content longer than declared leaves the connection open`() throws {
        let server = try TestServer { _ in .ok("hello").declaringLength(2) }
        let client = try RawClient(port: server.port)

        client.get("/")
        #expect(client.readResponse().body == "he")
        #expect(client.read(count: 3) == "llo")
        client.get("/")

        #expect(client.readResponse().body == "he")
    }

    @Test func `content without a length ends with the connection`() throws {
        let server = try TestServer { _ in ScriptedResponse(200, content: .untilClose(Data("hello".utf8))) }
        let client = try RawClient(port: server.port)

        client.get("/")

        #expect(client.readToEnd() == ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", .closed))
    }

    @Test func `raw bytes are sent as they are`() throws {
        #expect(try bytes(of: .raw("\u{0}HTTP\r\n")).text == "\u{0}HTTP\r\n")
        #expect(try bytes(of: .raw("")).text == "")
    }

    @Test func `large repeated content is complete`() throws {
        let server = try TestServer { _ in .repeating(Data("0123456789".utf8), count: 1_000_003) }
        let client = try RawClient(port: server.port)

        client.get("/")
        let body = client.readResponse().body

        #expect(body.utf8.count == 1_000_003)
        #expect(body == String(repeating: "0123456789", count: 100_000) + "012")
    }

    @Test func `a head of a megabyte is sent`() throws {
        let value = String(repeating: "v", count: 1 << 20)

        #expect(try bytes(of: ScriptedResponse.ok.field("X-Big", value)).text.contains("\r\nX-Big: \(value)\r\n"))
    }

    @Test func `a redirect and Retry-After carry their fields`() throws {
        #expect(try bytes(of: .redirect(to: "/b", status: 307)).text.hasPrefix("HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\n"))
        #expect(try bytes(of: .serviceUnavailable(retryAfter: .seconds(5))).text.contains("\r\nRetry-After: 5\r\n"))
    }
}
