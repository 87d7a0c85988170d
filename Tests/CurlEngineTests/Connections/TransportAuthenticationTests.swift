// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import AuthenticationSuite
import CurlEngine
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

/// NTLM, spoken by a server that checks only the form of the messages: libcurl makes them.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: CurlTransport().capabilities.contains(.transportAuthentication), "this libcurl has neither NTLM nor Negotiate"))
struct TransportAuthenticationTests {
    private func server() throws -> TestServer {
        try TestServer { request in
            switch NTLMMessage.number(in: request.fields["Authorization"]) {
            case 1: .status(401, fields: ["WWW-Authenticate": NTLMMessage.challenge], "not yet")
            case 3: .ok("welcome")
            default: .status(401, fields: ["WWW-Authenticate": "NTLM"], "who are you?")
            }
        }
    }

    private let credentials = TransferOptions(authentication: TransportAuthentication(scheme: .ntlm, user: "user", password: "secret"))

    @Test func `the receiver hears of the last head only`() async throws {
        let server = try server()
        let exchange = try await CurlTransport().exchange(HTTPRequest(url: server.url("/")), options: credentials)
        #expect(exchange.names == ["head 200", "end well"])
        #expect(exchange.text == "welcome")
        #expect(server.requests.map { NTLMMessage.number(in: $0.fields["Authorization"]) } == [1, 3])
        #expect(server.connectionCount == 1)
    }

    @Test func `a refusal comes through with its content`() async throws {
        let server = try TestServer { _ in .status(401, fields: ["WWW-Authenticate": "NTLM"], "no") }
        let exchange = try await CurlTransport().exchange(HTTPRequest(url: server.url("/")), options: credentials)
        #expect(exchange.names == ["head 401", "end well"])
        #expect(exchange.text == "no")
    }

    @Test func `content is sent with the last message`() async throws {
        let server = try server()
        for count in [5, 100_000] {
            let request = HTTPRequest(method: "POST", url: server.url("/"), body: HTTPBody(Data(repeating: 0x61, count: count)))
            let exchange = try await CurlTransport().exchange(request, options: credentials)
            #expect(exchange.text == "welcome")
            #expect(server.requests.last?.bodyByteCount == count)
        }
    }

    @Test func `content is sent over a connection that an earlier transfer has proved itself on`() async throws {
        let server = try server()
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        for count in [nil, 100_000, nil, 5, 100_000] {
            let body = count.map { HTTPBody(Data(repeating: 0x61, count: $0)) }
            let request = HTTPRequest(method: body == nil ? "GET" : "POST", url: server.url("/"), body: body)
            #expect(try await transport.exchange(request, options: credentials).text == "welcome")
            #expect(server.requests.last?.bodyByteCount == count ?? 0)
        }
    }

    @Test func `a scheme that was offered to one transfer is not taken for an offer to the next`() async throws {
        let offering = try server()
        let server = try TestServer { _ in .status(401, fields: ["WWW-Authenticate": "Basic realm=\"r\""]) }
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        #expect(try await transport.get(offering.url("/")).status == 401)
        #expect(try await transport.exchange(HTTPRequest(url: server.url("/")), options: credentials).status == 401)
        #expect(server.requests.map { NTLMMessage.number(in: $0.fields["Authorization"]) } == [1])
    }

    @Test func `credentials of one transfer are not those of the next`() async throws {
        let server = try server()
        let transport = CurlTransport.with { $0.connectionsPerOrigin = 1 }
        _ = try await transport.exchange(HTTPRequest(url: server.url("/")), options: credentials)
        let next = try await transport.get(server.url("/"))
        #expect(next.status == 401 && next.text == "who are you?")
        #expect(transport.statistics.pooledHandles == 1)
        #expect(server.requests.last?.fields["Authorization"] == nil)
    }
}
#endif
