// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import HTTPMessages
import Testing

@testable import CurlEngine

struct HeadParserTests {
    private func events(_ lines: [String], in parser: inout HeadParser) -> [HeadParser.Event] {
        lines.map { line in
            let bytes = Array(line.utf8)
            return bytes.withUnsafeBufferPointer { parser.append($0) }
        }
    }

    private func lastEvent(_ lines: String...) -> HeadParser.Event? {
        var parser = HeadParser(limit: 1_000)
        return events(lines.map { $0 + "\r\n" }, in: &parser).last
    }

    @Test func `a head has a status, a version and its lines as they came`() {
        var parser = HeadParser(limit: 1_000)
        let events = events(["HTTP/1.1 204 No Content\r\n", "A: 1\r\n", "b:2\r\n", "\r\n"], in: &parser)

        #expect(events == [.incomplete, .incomplete, .incomplete, .head])
        let head = parser.takeHead()
        #expect(head.status == 204)
        #expect(head.version == .http1_1)
        #expect(head.fields == HTTPFields([.init(name: "A", value: "1"), .init(name: "b", value: "2")]))
    }

    @Test(arguments: [
        ("HTTP/1.0 200 OK", HTTPVersion.http1_0), ("HTTP/1.1 200", .http1_1), ("HTTP/2 200 ", .http2), ("HTTP/3 200", .http3),
    ])
    func `versions are told apart`(line: String, version: HTTPVersion) {
        var parser = HeadParser(limit: 1_000)
        _ = events([line + "\r\n", "\r\n"], in: &parser)
        let head = parser.takeHead()
        #expect(head.version == version)
    }

    @Test func `bare line feeds end lines, too`() {
        var parser = HeadParser(limit: 1_000)
        let last = events(["HTTP/1.1 200 OK\n", "A: 1\n", "\n"], in: &parser).last
        let head = parser.takeHead()
        #expect(last == .head)
        #expect(head.value(for: "a") == "1")
    }

    @Test func `several heads come one after the other, and trailers behind the last`() {
        var parser = HeadParser(limit: 1_000)
        let events = events(
            ["HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "\r\n", "Digest: x\r\n", "\r\n"], in: &parser)

        #expect(events == [.incomplete, .incomplete, .head, .incomplete, .head, .trailer, .trailer])
        #expect(parser.trailerLines == Array("Digest: x\r\n".utf8))
    }

    @Test(arguments: ["5", "5, 5", " 5 ,5 ", "0", "00005"])
    func `a length, or a list of the same length, is accepted`(value: String) {
        #expect(lastEvent("HTTP/1.1 200 OK", "Content-Length: \(value)") == .incomplete)
    }

    @Test(arguments: ["5, 6", "-5", "+5", "5x", "", ",", "5,", "0x5", "5 5", "99999999999999999999"])
    func `anything else is no length`(value: String) {
        #expect(lastEvent("HTTP/1.1 200 OK", "content-length: \(value)") == .conflictingContentLength)
    }

    @Test func `lengths in two fields must be equal`() {
        #expect(lastEvent("HTTP/1.1 200 OK", "Content-Length: 5", "CONTENT-LENGTH: 5") == .incomplete)
        #expect(lastEvent("HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 6") == .conflictingContentLength)
    }

    @Test func `a length beside a transfer coding conflicts, in either order`() {
        #expect(lastEvent("HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked") == .conflictingContentLength)
        #expect(lastEvent("HTTP/1.1 200 OK", "transfer-encoding: chunked", "Content-Length: 5") == .conflictingContentLength)
    }

    @Test func `a head does not inherit the framing of the one before`() {
        #expect(
            lastEvent("HTTP/1.1 103 Early Hints", "Content-Length: 5", "", "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "") == .head)
    }

    @Test func `a folded line becomes a space, except in a field that frames the content`() {
        var parser = HeadParser(limit: 1_000)
        _ = events(["HTTP/1.1 200 OK\r\n", "A: one\r\n", "\t two\r\n", "\r\n"], in: &parser)
        let head = parser.takeHead()
        #expect(head.value(for: "A") == "one two")
        #expect(lastEvent("HTTP/1.1 200 OK", "Content-Length: 5", " 6") == .conflictingContentLength)
        #expect(lastEvent("HTTP/1.1 200 OK", " a: b") == .malformed)
    }

    @Test func `the limit counts every head`() {
        var parser = HeadParser(limit: 45)
        let lines = ["HTTP/1.1 103 A\r\n", "\r\n", "HTTP/1.1 200 B\r\n", "A: 345678\r\n", "\r\n"]
        let events = events(lines, in: &parser)
        #expect(events == [.incomplete, .head, .incomplete, .incomplete, .tooLarge])
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 2x0 OK", "HTTP/9 200 OK", "A: b", "HTTP/1.1\t200 OK"])
    func `what is no status line is refused`(line: String) {
        #expect(lastEvent(line) == .malformed)
    }

    @Test func `content codings are noticed, identity is none`() {
        for (value, isCoded) in [("gzip", true), ("Identity", false), ("br", true)] {
            var parser = HeadParser(limit: 1_000)
            _ = events(["HTTP/1.1 200 OK\r\n", "Content-Encoding: \(value)\r\n"], in: &parser)
            #expect(parser.hasContentCoding == isCoded)
        }
    }
}
#endif
