// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    private let transport = CurlTransport()

    private func head(of request: HTTPRequest, at server: TestServer) async throws -> String {
        let exchange = try await transport.exchange(request)
        #expect(exchange.error == nil)
        return String(decoding: try #require(server.requests.last).rawHead, as: UTF8.self)
    }

    @Test func `nothing is sent but what the caller set`() async throws {
        let server = try TestServer { _ in .ok("hello") }

        let head = try await head(of: HTTPRequest(url: server.url("/a"), fields: ["X-One": "1"]), at: server)

        #expect(head == "GET /a HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX-One: 1\r\n\r\n")
    }

    @Test func `the caller's fields replace those that libcurl would make`() async throws {
        let server = try TestServer { _ in .ok }
        let request = HTTPRequest(
            method: "POST", url: server.url("/"),
            fields: [
                "Host": "example.org", "User-Agent": "test/1", "Accept": "text/plain", "Accept-Encoding": "identity", "Content-Type": "a/b",
                "Connection": "close",
            ],
            body: HTTPBody(Data("x".utf8)))

        let head = try await head(of: request, at: server)

        #expect(
            Set(head.split(separator: "\r\n").dropFirst()) == [
                "Host: example.org", "User-Agent: test/1", "Accept: text/plain", "Accept-Encoding: identity", "Content-Type: a/b",
                "Connection: close", "Content-Length: 1",
            ])
    }

    @Test func `repeated and empty fields arrive as they are`() async throws {
        let server = try TestServer { _ in .ok }
        let request = HTTPRequest(url: server.url("/"), fields: ["A": "1", "A": "2", "Empty": "", "Blank": "  "])

        let head = try await head(of: request, at: server)

        #expect(head.hasSuffix("\r\nA: 1\r\nA: 2\r\nEmpty:\r\nBlank:\r\n\r\n"))
    }

    @Test(arguments: ["//x", "/a?b=c?d/../e", "/?", "/%2e%2e/%41", "/a;b=c,d", "/?q=%20+'()*"])
    func `the request target is what the URL says`(target: String) async throws {
        let server = try TestServer { _ in .ok }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(target)"))

        _ = try await transport.get(url)

        #expect(server.requests.map(\.target) == [target])
    }

    @Test func `texts that look the same are sent in the bytes of each`() async throws {
        let server = try TestServer { _ in .ok }
        for text in ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}", "K", "\u{212A}", "K"] {
            let head = try await head(of: HTTPRequest(url: server.url("/"), fields: ["X-Name": text]), at: server)
            let line = try #require(head.split(separator: "\r\n").first { $0.hasPrefix("X-Name: ") })
            #expect(Array(line.utf8) == Array("X-Name: \(text)".utf8))
        }
    }

    @Test func `requests at the same time each carry their own fields`() async throws {
        let server = try TestServer {
            .ok($0.target == "/\($0.fields["Authorization"] ?? "")\($0.fields["X-Body"] ?? "")" ? "own" : "another's")
        }
        let transport = CurlTransport()

        let answers = await withTaskGroup(of: String.self) { group in
            for index in 0..<400 {
                let secret = "s\(index % 3)", method = ["GET", "POST", "HEAD"][index / 3 % 3]
                let url = server.url("/\(secret)\(method == "POST" ? "b" : "")")
                group.addTask {
                    var request = HTTPRequest(method: method, url: url, fields: ["Authorization": secret])
                    if method == "POST" {
                        request.fields.append(name: "X-Body", value: "b")
                        request.body = HTTPBody(Data("x".utf8))
                    }
                    guard let exchange = try? await transport.exchange(request) else { return "nothing" }
                    return method == "HEAD" ? exchange.head?.value(for: "Content-Length") ?? "none" : exchange.text
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(answers == ["own", "3"])
    }

    @Test func `user information and fragment stay here`() async throws {
        let server = try TestServer { _ in .ok }
        let url = try #require(URL(string: "HTTP://user:secret@127.0.0.1:\(server.port)?q=a@b#fragment"))

        let head = try await head(of: HTTPRequest(url: url), at: server)

        #expect(head == "GET /?q=a@b HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
    }

    @Test func `a method that libcurl does not take is an error, not another method`() async throws {
        let server = try TestServer { _ in .ok }
        let request = HTTPRequest(method: String(repeating: "M", count: 9_000_000), url: server.url("/"))
        #expect(try await transport.exchange(request).error?.kind == .unsupportedByTransport)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get", "M-SEARCH", "QUERY"])
    func `any token is a method, with content or without`(method: String) async throws {
        let server = try TestServer { _ in .ok("done") }

        let without = try await transport.exchange(HTTPRequest(method: method, url: server.url("/")))
        let with = try await transport.exchange(HTTPRequest(method: method, url: server.url("/"), body: HTTPBody(Data("content".utf8))))

        #expect(without.text == "done" && with.text == "done")
        let requests = server.requests
        #expect(requests.map(\.method) == [method, method])
        #expect(requests.map(\.bodyText) == ["", "content"])
        // RFC 9110, 8.6: a method that usually has content says that there is none.
        #expect(requests[0].fields["Content-Length"] == (["POST", "PUT", "PATCH"].contains(method) ? "0" : nil))
        #expect(requests[1].fields["Content-Length"] == "7")
        #expect(requests.allSatisfy { $0.fields["Content-Type"] == nil && $0.fields["Expect"] == nil })
    }

    @Test func `HEAD is answered without content, whatever length is declared`() async throws {
        let server = try TestServer { request in .ok("hello").field("X-Method", request.method) }

        let exchange = try await transport.exchange(HTTPRequest(method: "HEAD", url: server.url("/")))
        let next = try await transport.get(server.url("/"))

        #expect(exchange.head?.value(for: "content-length") == "5")
        #expect(exchange.outcome.content.isEmpty && exchange.error == nil)
        #expect(next.head?.value(for: "x-method") == "GET" && next.text == "hello")
        #expect(server.connectionCount == 1)
    }

    @Test func `one easy handle forgets what the request before had set`() async throws {
        let server = try TestServer { request in .ok(request.method + " " + request.bodyText) }
        let url = server.url("/")
        let large = Data(repeating: 0x61, count: 40_000)
        let requests = [
            HTTPRequest(method: "PATCH", url: url, fields: ["A": "b"], body: HTTPBody(Data("1".utf8))), HTTPRequest(url: url),
            HTTPRequest(method: "PUT", url: url, body: HTTPBody(large)), HTTPRequest(method: "POST", url: url),
            HTTPRequest(method: "HEAD", url: url), HTTPRequest(method: "DELETE", url: url), HTTPRequest(url: url),
            HTTPRequest(method: "POST", url: url, body: HTTPBody(large)),
            HTTPRequest(method: "POST", url: url, body: HTTPBody(Data("2".utf8))),
        ]

        var texts: [String] = []
        for request in requests { texts.append(try await transport.exchange(request).text) }

        let largeText = String(repeating: "a", count: 40_000)
        #expect(texts == ["PATCH 1", "GET ", "PUT " + largeText, "POST ", "", "DELETE ", "GET ", "POST " + largeText, "POST 2"])
        #expect(server.requests.dropFirst().allSatisfy { $0.fields["A"] == nil })
        #expect(transport.statistics.pooledHandles == 1)
        #expect(server.connectionCount == 1)
    }

    @Test func `a caller's Content-Length and Transfer-Encoding are not sent beside the transport's`() async throws {
        let server = try TestServer { _ in .ok }
        let request = HTTPRequest(
            method: "POST", url: server.url("/"), fields: ["Content-Length": "987654321", "Transfer-Encoding": "chunked"],
            body: HTTPBody(Data("abc".utf8)))

        let head = try await head(of: request, at: server)

        #expect(head.contains("Content-Length: 3\r\n") && !head.contains("987654321") && !head.contains("chunked"))
    }

    // MARK: What must not be sent

    @Test(arguments: [
        ("ftp://127.0.0.1/", HTTPError.Kind.unsupportedScheme), ("file:///etc/passwd", .unsupportedScheme),
        ("/relative", .unsupportedScheme),
        ("http:///path", .invalidURL), ("mailto:a@b", .unsupportedScheme),
    ])
    func `a URL that cannot be sent to is an error`(text: String, kind: HTTPError.Kind) async throws {
        let exchange = try await transport.get(try #require(URL(string: text)))
        #expect(exchange.names == ["end \(kind.rawValue)"])
    }

    @Test(arguments: ["", "GE T", "GET\r\nX: y", "GÉT"])
    func `a method that is no token is an error, and nothing is sent`(method: String) async throws {
        let server = try TestServer { _ in .ok }
        let exchange = try await transport.exchange(HTTPRequest(method: method, url: server.url("/")))
        #expect(exchange.names == ["end invalidMethod"])
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: [
        ("A", "b\r\nC: d"), ("A", "b\n"), ("A", "\0"), ("A\r\nB", "c"), ("", "b"), ("A B", "c"), ("Ä", "b"), ("A:", "b"),
        ("Content-Length", "1\r\nX: y"),
    ])
    func `a field that could become two is an error, and nothing is sent`(name: String, value: String) async throws {
        let server = try TestServer { _ in .ok }
        let exchange = try await transport.exchange(HTTPRequest(url: server.url("/"), fields: [name: value]))
        #expect(exchange.names == ["end invalidField"])
        #expect(server.connectionCount == 0)
    }

    @Test func `errors say what was attempted without its secrets`() async throws {
        let url = try #require(URL(string: "http://user:secret@127.0.0.1:1/path?token=secret"))
        let exchange = try await transport.exchange(HTTPRequest(url: url, fields: ["Authorization": "Bearer secret"]))

        let error = try #require(exchange.error)
        #expect(error.kind == .connectFailed)
        #expect(error.attempt == "GET http://127.0.0.1:1/path?…")
        #expect(!String(reflecting: error).contains("secret") && !error.description.contains("secret"))
    }
}
#endif
