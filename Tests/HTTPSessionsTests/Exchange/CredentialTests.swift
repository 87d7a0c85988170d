// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(
    .timeLimit(.minutes(1)), .enabled(if: Session.capabilities.contains(.unfollowedResponses), "the engine answers challenges by itself"))
struct CredentialTests {
    private let session = Session.alone()
    /// `user:secret`.
    private static let basic = "Basic dXNlcjpzZWNyZXQ="

    /// Lets in who sends these Basic credentials.
    private func basicServer(_ credentials: String = basic) throws -> TestServer {
        try TestServer { request in
            request.fields.values("Authorization") == [credentials]
                ? .ok("in") : .status(401, fields: ["WWW-Authenticate": #"Basic realm="r""#], "out")
        }
    }

    private func authorizations(_ server: TestServer) -> [[String]] { server.requests.map { $0.fields.values("Authorization") } }

    // MARK: Basic

    @Test func `a wrong password ends in the response that refused it, after one try`() async throws {
        let server = try basicServer()

        let request = session.request(server.url("/")).authenticate(username: "user", password: "wrong")
        let response = await request.serializingString().response

        #expect(response.value == "out")
        #expect(response.response?.statusCode == 401)
        #expect(server.requestCount == 2)
    }

    @Test func `without a credential the challenge is delivered`() async throws {
        let server = try basicServer()

        let response = await session.request(server.url("/")).serializingString().response

        #expect(response.response?.statusCode == 401)
        #expect(authorizations(server) == [[]])
    }

    @Test func `accepted credentials are sent ahead, to the paths below`() async throws {
        let server = try basicServer()

        for target in ["/in/a", "/in/b", "/in/c/d"] {
            let request = session.request(server.url(target)).authenticate(username: "user", password: "secret")
            #expect(try await request.serializingString().value == "in")
        }

        #expect(authorizations(server) == [[], [Self.basic], [Self.basic], [Self.basic]])
    }

    @Test func `a session that is told to sends nothing ahead`() async throws {
        let server = try basicServer()
        let session = Session(configuration: URLSessionConfiguration.af.ephemeral, sendsCredentialsAhead: false)

        for target in ["/a", "/b"] {
            let request = session.request(server.url(target)).authenticate(username: "user", password: "secret")
            #expect(try await request.serializingString().value == "in")
        }

        #expect(authorizations(server) == [[], [Self.basic], [], [Self.basic]])
    }

    @Test(arguments: [("NTLM", TransportCapabilities.ntlm), ("Negotiate", .negotiate)])
    func `a scheme that the transport lacks leaves the place to the next one`(scheme: String, lacking: TransportCapabilities) async throws {
        let transport = ScriptedTransport(capabilities: TransportCapabilities(rawValue: .max).subtracting(lacking)) { message in
            message.request.fields["Authorization"] == Self.basic
                ? .ok("in") : .status(401, fields: ["WWW-Authenticate": scheme, "WWW-Authenticate": #"Basic realm="r""#])
        }
        let session = Session(transport: transport, configuration: URLSessionConfiguration.af.ephemeral)

        let request = session.request("http://origin.test/").authenticate(username: "user", password: "secret")

        #expect(try await request.serializingString().value == "in")
        #expect(transport.messages.allSatisfy { $0.options.authentication == nil })
    }

    @Test func `requests without a credential share what was accepted, unless it was to be kept apart`() async throws {
        let shared = try basicServer()
        let apart = try basicServer()

        _ = await session.request(shared.url("/")).authenticate(username: "user", password: "secret", persistence: .forSession)
            .serializingString().response
        _ = await session.request(apart.url("/")).authenticate(username: "user", password: "secret", persistence: .none)
            .serializingString().response
        let statuses = [
            await session.request(shared.url("/")).serializingString().response.response?.statusCode,
            await session.request(apart.url("/")).serializingString().response.response?.statusCode,
        ]

        #expect(statuses == [200, 401])
        #expect(authorizations(apart) == [[], [Self.basic], []])
    }

    @Test func `credentials are kept per session`() async throws {
        let server = try basicServer()

        _ = await session.request(server.url("/")).authenticate(username: "user", password: "secret").serializingString().response
        let otherSession = Session.alone()
        let other = await otherSession.request(server.url("/")).serializingString().response

        #expect(other.response?.statusCode == 401)
    }

    @Test func `credentials are not sent ahead to another origin`() async throws {
        let server = try basicServer()
        let other = try basicServer()

        for server in [server, other] {
            _ = await session.request(server.url("/")).authenticate(username: "user", password: "secret").serializingString().response
        }

        #expect(authorizations(other) == [[], [Self.basic]])
    }

    @Test func `what was accepted for one origin is not sent where a redirect leads`() async throws {
        let other = try TestServer { _ in .status(401, fields: ["WWW-Authenticate": #"Basic realm="r""#]) }
        let server = try TestServer { request in
            request.fields.contains("Authorization")
                ? .redirect(to: other.url("/").absoluteString) : .status(401, fields: ["WWW-Authenticate": #"Basic realm="r""#])
        }

        let response = await session.request(server.url("/")).authenticate(username: "user", password: "secret").serializingData().response

        #expect(response.response?.statusCode == 401)
        #expect(authorizations(server) == [[], [Self.basic]])
        #expect(authorizations(other) == [[]])
    }

    @Test func `user information in the URL answers a challenge and is not sent otherwise`() async throws {
        let server = try basicServer()
        let url = "http://user:secret@127.0.0.1:\(server.port)/"

        let response = await session.request(url).serializingString().response

        #expect(response.value == "in")
        #expect(authorizations(server) == [[], [Self.basic]])
        #expect(server.requests.allSatisfy { !String(decoding: $0.rawHead, as: UTF8.self).contains("secret") })
    }

    @Test func `the configuration's storage is asked for a default`() async throws {
        let server = try basicServer()
        let session = Session.alone { $0.urlCredentialStorage = .shared }
        let space = URLProtectionSpace(
            host: "127.0.0.1", port: server.port, protocol: "http", realm: "r", authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let credential = URLCredential(user: "user", password: "secret", persistence: .forSession)
        URLCredentialStorage.shared.setDefaultCredential(credential, for: space)
        defer { URLCredentialStorage.shared.remove(credential, for: space) }

        let response = await session.request(server.url("/")).serializingString().response

        #expect(response.value == "in")
    }

    @Test func `content is sent again with the answer`() async throws {
        let server = try TestServer { request in
            request.fields.contains("Authorization")
                ? .ok(request.bodyText) : .status(401, fields: ["WWW-Authenticate": #"Basic realm="r""#])
        }

        let request = session.upload(Data("text".utf8), to: server.url("/")).authenticate(username: "user", password: "secret")

        #expect(try await request.serializingString().value == "text")
        #expect(server.requests.map(\.bodyText) == ["text", "text"])
    }

    @Test(.enabled(if: Session.capabilities.contains(.streamedBodies), "the engine reads a stream before it sends"))
    func `a challenge to a stream is an error that says so`() async throws {
        let server = try basicServer()

        let request = session.upload(InputStream(data: Data("once".utf8)), to: server.url("/")).authenticate(
            username: "user", password: "secret")
        let error = await request.serializingString().response.error

        #expect(error?.httpError?.kind == .bodyNotReplayable)
    }

    @Test func `the caller's own Authorization field stands until it is refused`() async throws {
        let server = try TestServer { request in
            request.fields.values("Authorization") == ["Bearer mine"] ? .ok("mine") : .status(401)
        }

        let request = session.request(server.url("/"), headers: ["Authorization": "Bearer mine"])
            .authenticate(username: "user", password: "secret")

        #expect(try await request.serializingString().value == "mine")
        #expect(server.requestCount == 1)
    }

    // MARK: Digest

    /// Verifies Digest (RFC 7616) with a calculation of its own.
    private struct DigestVerifier: Sendable {
        var password = "secret"
        var algorithm = "SHA-256"
        var nonce = "n0"

        var challenge: FieldList {
            ["WWW-Authenticate": #"Digest realm="r", qop="auth", algorithm=\#(algorithm), nonce="\#(nonce)", opaque="o""#]
        }

        func accepts(_ request: RecordedRequest) -> Bool {
            guard let field = request.fields["Authorization"], let parameters = Self.parameters(field),
                parameters["username"] == "user", parameters["realm"] == "r", parameters["nonce"] == nonce, parameters["opaque"] == "o",
                parameters["uri"] == request.target, parameters["qop"] == "auth", let count = parameters["nc"],
                let cnonce = parameters["cnonce"]
            else { return false }
            let function: HashFunction = algorithm == "MD5" ? .md5 : .sha256
            func hash(_ text: String) -> String {
                guard let bytes = try? function.hash(Array(text.utf8)) else { return "" }
                return bytes.map { String(format: "%02x", $0) }.joined()
            }
            let a1 = hash("user:r:\(password)")
            let a2 = hash("\(request.method):\(request.target)")
            return parameters["response"] == hash("\(a1):\(nonce):\(count):\(cnonce):auth:\(a2)")
        }

        static func parameters(_ field: String) -> [String: String]? {
            guard field.hasPrefix("Digest ") else { return nil }
            var parameters: [String: String] = [:]
            for part in field.dropFirst(7).split(separator: ",") {
                let halves = part.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1).map(String.init)
                guard halves.count == 2 else { return nil }
                parameters[halves[0]] = halves[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            }
            return parameters
        }
    }

    @Test(arguments: ["MD5", "SHA-256"])
    func `a Digest challenge is answered so that the server can verify it, and later requests go ahead`(algorithm: String) async throws {
        let verifier = DigestVerifier(algorithm: algorithm)
        let server = try TestServer { verifier.accepts($0) ? .ok("in") : .status(401, fields: verifier.challenge) }

        for target in ["/a?q=1", "/b"] {
            let request = session.request(server.url(target), method: .put).authenticate(username: "user", password: "secret")
            #expect(try await request.serializingString().value == "in")
        }

        let counts = server.requests.map { $0.fields["Authorization"].flatMap { DigestVerifier.parameters($0) }?["nc"] }
        #expect(counts == [nil, "00000001", "00000002"])
    }

    @Test func `a Digest answer is not sent where a redirect leads`() async throws {
        let other = try TestServer { _ in .status(401, fields: ["WWW-Authenticate": #"Digest realm="r", nonce="n", qop="auth""#]) }
        let server = try TestServer { request in
            request.fields.contains("Authorization")
                ? .redirect(to: other.url("/").absoluteString)
                : .status(401, fields: ["WWW-Authenticate": #"Digest realm="r", nonce="n", qop="auth""#])
        }

        let response = await session.request(server.url("/")).authenticate(username: "user", password: "secret").serializingData().response

        #expect(response.response?.statusCode == 401)
        #expect(authorizations(server).map(\.count) == [0, 1])
        #expect(authorizations(other) == [[]])
    }

    @Test func `a wrong password for Digest ends in one delivered 401`() async throws {
        let verifier = DigestVerifier()
        let server = try TestServer { verifier.accepts($0) ? .ok("in") : .status(401, fields: verifier.challenge) }

        let request = session.request(server.url("/")).authenticate(username: "user", password: "wrong")
        let response = await request.serializingData().response

        #expect(response.response?.statusCode == 401)
        #expect(server.requestCount == 2)
    }

    @Test func `Digest is chosen before Basic, and the password is not sent`() async throws {
        let verifier = DigestVerifier()
        let server = try TestServer { request in
            if verifier.accepts(request) { return .ok("in") }
            var fields = verifier.challenge
            fields.append("WWW-Authenticate", #"Basic realm="r""#)
            return .status(401, fields: fields)
        }

        let request = session.request(server.url("/")).authenticate(username: "user", password: "secret")

        #expect(try await request.serializingString().value == "in")
        #expect(authorizations(server).flatMap { $0 }.allSatisfy { $0.hasPrefix("Digest ") })
    }

    @Test func `a server that never accepts is given up`() async throws {
        let count = Locked(0)
        let server = try TestServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .status(401, fields: ["WWW-Authenticate": #"Digest realm="r", qop="auth", nonce="n\#(number)", stale=true"#])
        }

        let request = session.request(server.url("/")).authenticate(username: "user", password: "secret")
        let response = await request.serializingData().response

        #expect(response.response?.statusCode == 401)
        #expect(server.requestCount < 15)
    }

    // MARK: Proxies

    /// A server that plays a proxy: it answers requests for other hosts itself.
    @Test(.enabled(if: Session.capabilities.contains(.proxies), "the engine has no proxies"))
    func `a proxy's challenge is answered with the request's credential`() async throws {
        let proxy = try TestServer { request in
            request.fields.values("Proxy-Authorization") == [Self.basic]
                ? .ok("through \(request.target)") : .status(407, fields: ["Proxy-Authenticate": #"Basic realm="p""#])
        }
        let session = Session.alone {
            $0.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": proxy.port]
        }

        let request = session.request("http://a.test/x").authenticate(username: "user", password: "secret")
        let first = try await request.serializingString().value
        _ = await session.request("http://b.test/").serializingString().response

        #expect(first == "through http://a.test/x")
        #expect(proxy.requests.map { $0.fields.values("Proxy-Authorization") } == [[], [Self.basic], [Self.basic]])
        #expect(authorizations(proxy) == [[], [], []])
    }

    @Test func `a 407 that no proxy can have sent is delivered`() async throws {
        let server = try TestServer { _ in .status(407, fields: ["Proxy-Authenticate": #"Basic realm="p""#]) }

        let request = session.request(server.url("/")).authenticate(username: "user", password: "secret")
        let response = await request.serializingData().response

        #expect(response.response?.statusCode == 407)
        #expect(server.requests.map { $0.fields.values("Proxy-Authorization") } == [[]])
    }
}
