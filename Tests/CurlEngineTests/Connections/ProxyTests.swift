// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import CurlEngine

/// A ``TestServer`` in the role of a proxy shows what a proxy gets; real ones carry it on.
@Suite(.timeLimit(.minutes(1)))
struct ProxyTests {
    private func transport(through proxy: TestServer, user: String? = nil, password: String? = nil, except: [String] = []) -> CurlTransport
    {
        .with {
            $0.proxy = .proxy(ProxyServer(host: "127.0.0.1", port: proxy.port, user: user, password: password), except: except)
        }
    }

    @Test func `a proxy gets the whole URL, and its credentials at once`() async throws {
        let proxy = try TestServer { _ in .ok("from the proxy") }
        let transport = transport(through: proxy, user: "user", password: "pass word")

        let exchange = try await transport.get(try #require(URL(string: "http://api.example/path?q=1")))

        #expect(exchange.text == "from the proxy")
        #expect(exchange.outcome.metrics?.usedProxy == true)
        #expect(proxy.requests.map(\.target) == ["http://api.example/path?q=1"])
        #expect(proxy.requests[0].fields["Host"] == "api.example")
        #expect(proxy.requests[0].fields["Proxy-Authorization"] == "Basic \(Data("user:pass word".utf8).base64EncodedString())")
    }

    @Test func `a proxy's challenge comes through, and the caller's answer reaches it`() async throws {
        let proxy = try TestServer { request in
            request.fields["Proxy-Authorization"] == "Basic abc" ? .ok : .status(407, fields: ["Proxy-Authenticate": "Basic realm=\"p\""])
        }
        let transport = transport(through: proxy)
        let url = try #require(URL(string: "http://api.example/"))

        let first = try await transport.get(url)
        let second = try await transport.exchange(HTTPRequest(url: url, fields: ["Proxy-Authorization": "Basic abc"]))

        #expect(first.status == 407 && first.head?.value(for: "proxy-authenticate") == "Basic realm=\"p\"")
        #expect(second.status == 200)
    }

    @Test func `a challenge to CONNECT comes through as a response, and the answer goes to the proxy alone`() async throws {
        let proxy = try TestServer { _ in .status(407, fields: ["Proxy-Authenticate": "Digest realm=\"p\", nonce=\"n\""], "no") }
        let transport = transport(through: proxy)
        let url = try #require(URL(string: "https://api.example/secret"))

        for fields in [[:], ["Proxy-Authorization": "Digest abc", "Authorization": "Bearer secret", "X-Other": "1"]] as [HTTPFields] {
            let exchange = try await transport.exchange(HTTPRequest(url: url, fields: fields))
            #expect(exchange.names == ["head 407", "end well"])
            #expect(exchange.head?.value(for: "Proxy-Authenticate") == "Digest realm=\"p\", nonce=\"n\"")
        }

        #expect(proxy.requests.map(\.method) == ["CONNECT", "CONNECT"])
        #expect(proxy.requests.map(\.target) == ["api.example:443", "api.example:443"])
        #expect(proxy.requests[1].fields["Proxy-Authorization"] == "Digest abc")
        #expect(proxy.requests[1].fields["Authorization"] == nil && proxy.requests[1].fields["X-Other"] == nil)
    }

    @Test(arguments: ["Content-Length: 1000000000000", "Transfer-Encoding: chunked"], ["Digest", "NTLM"])
    func `a challenge to CONNECT whose content has no end comes through without it`(framing: String, scheme: String) async throws {
        let proxy = try LoopbackListener { client, _ in
            _ = client.receive()
            client.send("HTTP/1.1 407 X\r\nProxy-Authenticate: \(scheme)\r\n\(framing)\r\n\r\n")
            let chunk = Array("10000\r\n\(String(repeating: "x", count: 65_536))\r\n".utf8)
            while client.send(chunk) {}
        }
        let transport = CurlTransport.with { $0.proxy = .proxy(ProxyServer(host: "127.0.0.1", port: proxy.port), except: []) }
        var options = TransferOptions()
        if scheme == "NTLM" {
            options.proxyAuthentication = TransportAuthentication(scheme: .ntlm, user: "user", password: "secret")
        }

        let exchange = try await transport.get(try #require(URL(string: "https://api.example/")), options: options)

        #expect(exchange.names == ["head 407", "end well"])
        #expect(exchange.head?.value(for: "Proxy-Authenticate") == scheme)
    }

    @Test(arguments: [403, 502, 503])
    func `a proxy that refuses to connect is an error with its status`(status: Int) async throws {
        let proxy = try TestServer { _ in .status(status, "no") }
        let exchange = try await transport(through: proxy).get(try #require(URL(string: "https://api.example/")))
        #expect(exchange.names == ["end proxyFailed"])
        #expect(exchange.error?.reason.contains("\(status)") == true)
    }

    @Test func `a proxy that cannot be reached is an error`() async throws {
        let port = try UnusedPort()
        let transport = CurlTransport.with { $0.proxy = .proxy(ProxyServer(host: "127.0.0.1", port: port.number), except: []) }
        let kind = try await transport.get(try #require(URL(string: "http://api.example/"))).error?.kind
        #expect(kind == .connectFailed)
        withExtendedLifetime(port) {}
    }

    @Test func `exceptions are reached directly`() async throws {
        let proxy = try TestServer { _ in .ok("proxy") }
        let server = try TestServer { request in .ok("direct \(request.target)") }
        let transport = transport(through: proxy, except: ["other.example", "127.0.0.1"])

        let exchange = try await transport.exchange(HTTPRequest(url: server.url("/x"), fields: ["Proxy-Authorization": "Basic secret"]))

        #expect(exchange.text == "direct /x")
        #expect(exchange.outcome.metrics?.usedProxy == false)
        // What is for the proxy goes to nobody else.
        #expect(server.requests[0].fields["Proxy-Authorization"] == nil)
        #expect(proxy.connectionCount == 0)
    }

    @Test func `each scheme can have its own proxy`() async throws {
        let plain = try TestServer { _ in .ok("plain") }
        let secure = try TestServer { _ in .status(502) }
        let transport = CurlTransport.with {
            $0.proxy = .perScheme(
                http: ProxyServer(host: "127.0.0.1", port: plain.port), https: ProxyServer(host: "127.0.0.1", port: secure.port), except: []
            )
        }
        for _ in 0..<2 {
            #expect(try await transport.get(try #require(URL(string: "http://a.example/"))).text == "plain")
            #expect(try await transport.get(try #require(URL(string: "https://a.example/"))).error?.kind == .proxyFailed)
        }
        #expect(plain.requests.count == 2 && secure.requests.allSatisfy { $0.method == "CONNECT" })
    }

    @Test func `a SOCKS proxy is told the address, or the name where it is to look it up`() async throws {
        let server = try TestServer { request in .ok(request.target) }
        for (kind, host, address) in [
            (ProxyServer.Kind.socks5, "127.0.0.1", [1, 127, 0, 0, 1]),
            (.socks5Hostname, "api.example", [3, 11] + Array("api.example".utf8)),
        ] as [(ProxyServer.Kind, String, [UInt8])] {
            let proxy = try SOCKSProxy(leadingTo: server.port)
            let transport = CurlTransport.with {
                $0.proxy = .proxy(ProxyServer(kind: kind, host: "127.0.0.1", port: proxy.port), except: [])
            }
            let url = try #require(URL(string: "http://\(host):80/path"))

            let exchange = try await transport.get(url)

            #expect(exchange.text == "/path")
            #expect(exchange.outcome.metrics?.usedProxy == true)
            #expect(proxy.request == [5, 1, 0] + address + [0, 80])
        }
    }

    @Test func `a SOCKS proxy that hangs up is an error`() async throws {
        let proxy = try TestServer()
        proxy.enqueue(openings: .close, .close)
        for kind in [ProxyServer.Kind.socks5, .socks5Hostname] {
            let transport = CurlTransport.with {
                $0.proxy = .proxy(ProxyServer(kind: kind, host: "127.0.0.1", port: proxy.port), except: [])
            }
            let exchange = try await transport.get(try #require(URL(string: "http://127.0.0.1:9/")))
            #expect(exchange.error?.kind == .proxyFailed || exchange.error?.kind == .connectFailed)
        }
    }

    @Test(
        .enabled(if: StartedServer.proxyWithPassword.isExpected, "needs tinyproxy: run Scripts/test"),
        arguments: [StartedServer.http, .https])
    func `real servers are reached through a real proxy`(server: StartedServer) async throws {
        let proxy = try StartedServer.proxyWithPassword.url
        func transport(password: String?) throws -> CurlTransport {
            var configuration = TransportConfiguration()
            configuration.tls.authorities = .pemFile(try StartedServer.file("CA_FILE"))
            configuration.proxy = .proxy(
                ProxyServer(
                    host: try #require(proxy.host()), port: try #require(proxy.port),
                    user: password == nil ? nil : try StartedServer.value("USER_NAME"), password: password), except: [])
            return CurlTransport(configuration: configuration)
        }
        let url = try server.url.appendingPathComponent("message.json")

        let good = try transport(password: try StartedServer.value("PASSWORD"))
        for _ in 0..<2 { #expect(try await good.get(url).outcome.content.count == 183) }
        #expect(try await transport(password: nil).get(url).status == 407)
    }

    @Test func `an error does not quote a proxy's address`() {
        let message = CurlError.withoutProxy(
            "Unsupported proxy scheme for 'ftp://user:secret@a:1'", ProxySettings.Proxy(url: "ftp://user:secret@a:1"))
        #expect(message == "Unsupported proxy scheme for '(the proxy's address)'")
    }

    // MARK: The environment

    @Test func `the environment is read as curl reads it`() {
        let settings = ProxySettings(
            .environment,
            environment: [
                "http_proxy": "http://a:1", "HTTPS_PROXY": "b:2", "no_proxy": "x.example, .y.example", "HTTP_PROXY": "http://evil",
            ])
        #expect(settings.http.url == "http://a:1" && settings.https.url == "b:2")
        #expect(settings.exempts("x.example") && settings.exempts("z.y.example") && settings.exempts("y.example"))
        #expect(!settings.exempts("ax.example"))
        let fallback = ProxySettings(.environment, environment: ["HTTP_PROXY": "http://evil", "all_proxy": "socks5://c:3"])
        #expect(fallback.http.url == "socks5://c:3" && fallback.https.url == "socks5://c:3")
        #expect(!ProxySettings(.environment, environment: [:]).areUsed)
        #expect(!ProxySettings(.none, environment: ["http_proxy": "http://a:1"]).areUsed)
    }
}
#endif
