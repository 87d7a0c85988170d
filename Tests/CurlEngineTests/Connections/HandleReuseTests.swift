// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// What libcurl remembers of a transfer in its easy handle must not be felt by the next one.
@Suite(.timeLimit(.minutes(1)))
struct HandleReuseTests {
    private let transport = CurlTransport.with { $0.connectionsPerOrigin = 1 }

    @Test func `connections that die between two requests are made anew, however many`() async throws {
        let server = try TestServer()
        server.enqueue(.ok)
        #expect(try await transport.get(server.url("/")).status == 200)

        // libcurl counts what it sent again, and gives up at the sixth.
        for _ in 0..<20 {
            server.enqueue(.close, .ok)
            let exchange = try await transport.get(server.url("/"))
            #expect(exchange.status == 200, "\(String(describing: exchange.error))")
        }
        #expect(server.requests.count == 41)
    }

    @Test func `connections that die, and cannot be made anew, do not count for later requests`() async throws {
        let server = try TestServer()
        for _ in 0..<5 {
            let other = try TestServer()
            other.enqueue(.ok, .close)
            other.enqueue(openings: .serve, .reset)
            #expect(try await transport.get(other.url("/")).status == 200)
            #expect(try await transport.get(other.url("/")).error != nil)
        }

        server.enqueue(.ok, .close, .ok)
        #expect(try await transport.get(server.url("/")).status == 200)
        #expect(try await transport.get(server.url("/")).status == 200)
    }

    @Test func `a transfer that is cancelled before it begins has no numbers of the one before`() async throws {
        let server = try TestServer { _ in .ok("content") }
        #expect(try await transport.get(server.url("/")).outcome.metrics?.contentBytesReceived == 7)
        let receiver = RecordingReceiver()
        let transport = transport
        // On the loop's thread, so that it finds both commands at once.
        let blocking = RecordingReceiver { _ in
            transport.start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: receiver).cancel()
            return .discard(limit: 100)
        }
        _ = CurlTransport().start(HTTPRequest(url: server.url("/")), options: TransferOptions(), receiver: blocking)

        let exchange = try await receiver.exchange()
        _ = try await blocking.exchange()
        #expect(exchange.error?.kind == .cancelled)
        let metrics = try #require(exchange.outcome.metrics)
        #expect(metrics.remoteAddress == nil && metrics.localPort == nil && metrics.requestStart == nil && metrics.firstByte == nil)
        #expect(metrics.headBytesSent == 0 && metrics.headBytesReceived == 0 && metrics.contentBytesReceived == 0 && metrics.total == .zero)
    }

    @Test func `an expectation that is refused each time is not sent for ever`() async throws {
        let server = try TestServer(.init { $0.expectation = .refuse }) { _ in .ok }
        let request = HTTPRequest(
            method: "POST", url: server.url("/"), fields: ["Expect": "100-continue"], body: HTTPBody(Data("small".utf8)))
        let exchange = try await transport.exchange(request, options: TransferOptions(timeouts: Timeouts(resource: .seconds(2))))
        #expect(exchange.names == ["head 417", "end well"] || exchange.names == ["head 200", "end well"], "\(exchange.names)")
        #expect(server.requests.count <= 2)
    }

    @Test(arguments: ["http/1.1 200 OK", "HTTP/x", "Http/1.1 200 OK"], ["\r\n", "\n"])
    func `a first field line that is folded is an error behind an interim head, too`(statusLine: String, lineBreak: String) async throws {
        let server = try TestServer { request in
            guard request.path == "/folded" else { return .ok("x", fields: ["X-Long": String(repeating: "a", count: request.number * 37)]) }
            let lines = ["HTTP/1.1 100 Continue", "", statusLine, " folded: \(request.number)", "Content-Length: 0", "", ""]
            return .raw(lines.joined(separator: lineBreak))
        }
        for _ in 0..<50 {
            #expect(try await transport.get(server.url("/")).status == 200)
            #expect(try await transport.get(server.url("/folded")).error?.kind == .malformedResponse)
        }
    }

    @Test(arguments: ["garbage", "http/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 403 No"])
    func `a folded first field line in a proxy's answer to CONNECT is an error`(statusLine: String) async throws {
        let proxy = try TestServer { request in
            guard request.method == "CONNECT" else {
                return .ok("x", fields: ["X-Long": String(repeating: "a", count: request.number * 37)])
            }
            return .raw("\(statusLine)\r\n folded: \(request.number)\r\nX: y\r\n\r\n")
        }
        let transport = CurlTransport.with {
            $0.proxy = .proxy(ProxyServer(host: "127.0.0.1", port: proxy.port), except: [])
        }
        let plain = try #require(URL(string: "http://api.example/"))
        let secure = try #require(URL(string: "https://api.example/"))
        for _ in 0..<50 {
            #expect(try await transport.get(plain).status == 200)
            #expect(try await transport.get(secure).error?.kind == .proxyFailed)
        }
    }
}
#endif
