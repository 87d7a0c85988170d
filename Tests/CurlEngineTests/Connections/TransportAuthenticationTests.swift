// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
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
    /// A challenge message (MS-NLMP, 2.2.1.2) without a target name.
    private static let challenge: String = {
        var message = Data("NTLMSSP\0".utf8)
        message += [2, 0, 0, 0] + [0, 0, 0, 0, 56, 0, 0, 0] + [0x01, 0x82, 0, 0] + [1, 2, 3, 4, 5, 6, 7, 8] + Data(count: 24)
        return "NTLM " + message.base64EncodedString()
    }()

    /// The number of an NTLM message: 1 opens, 3 proves.
    private static func messageNumber(_ field: String?) -> UInt8? {
        guard let field, field.hasPrefix("NTLM "), let message = Data(base64Encoded: String(field.dropFirst(5))), message.count > 8 else {
            return nil
        }
        return message[8]
    }

    private func server() throws -> TestServer {
        try TestServer { request in
            switch Self.messageNumber(request.fields["Authorization"]) {
            case 1: .status(401, fields: ["WWW-Authenticate": Self.challenge], "not yet")
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
        #expect(server.requests.map { Self.messageNumber($0.fields["Authorization"]) } == [1, 3])
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
        #expect(server.requests.map { Self.messageNumber($0.fields["Authorization"]) } == [1])
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
