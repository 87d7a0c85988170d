// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes down what it is asked, and gives one answer after the other, the last one again and again.
private final class ScriptedHandler: ChallengeHandler {
    struct Question: Equatable, Sendable {
        var space = ""
        var realm: String?
        var method: String
        var isProxy = false
        var failures = 0
        var proposed: String?
    }

    typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)
    private let answers: Locked<[Answer]>
    let questions = EventRecorder<Question>()
    let gate: TestGate

    init(_ answers: Answer..., gate: TestGate = TestGate(isOpen: true)) {
        self.answers = Locked(answers)
        self.gate = gate
    }

    nonisolated(nonsending) func answer(_ challenge: URLAuthenticationChallenge, for request: Request) async -> Answer {
        let space = challenge.protectionSpace
        questions.record(
            Question(
                space: "\(space.host):\(space.port)", realm: space.realm, method: space.authenticationMethod, isProxy: space.isProxy(),
                failures: challenge.previousFailureCount, proposed: challenge.proposedCredential?.user))
        try? await gate.pass()
        return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? (.performDefaultHandling, nil) }
    }
}

@Suite(
    .timeLimit(.minutes(1)), .enabled(if: Session.capabilities.contains(.unfollowedResponses), "the engine answers challenges by itself"))
struct ChallengeHandlerTests {
    private static let basic = "Basic dXNlcjpzZWNyZXQ="
    private static let right = URLCredential(user: "user", password: "secret", persistence: .none)
    private static let wrong = URLCredential(user: "user", password: "wrong", persistence: .none)

    private func session(_ handler: any ChallengeHandler, _ configure: (URLSessionConfiguration) -> Void = { _ in }) -> Session {
        let configuration = URLSessionConfiguration.af.ephemeral
        configure(configuration)
        return Session(configuration: configuration, challengeHandler: handler)
    }

    /// Lets in who sends the right Basic credentials.
    private func basicServer() throws -> TestServer {
        try TestServer { request in
            request.fields.values("Authorization") == [Self.basic]
                ? .ok("in") : .status(401, fields: ["WWW-Authenticate": #"Basic realm="r""#], "out")
        }
    }

    @Test func `a handler is told who asks for what, and how often it was refused, until the server lets it in`() async throws {
        let server = try basicServer()
        let handler = ScriptedHandler((.useCredential, Self.wrong), (.useCredential, Self.right))
        let session = session(handler)

        let text = try await session.request(server.url("/")).serializingString().value

        let question = ScriptedHandler.Question(
            space: "127.0.0.1:\(server.port)", realm: "r", method: NSURLAuthenticationMethodHTTPBasic)
        var again = question
        again.failures = 1
        #expect(text == "in")
        #expect(handler.questions.events == [question, again])
        #expect(server.requestCount == 3)
    }

    @Test(arguments: [
        (URLSession.AuthChallengeDisposition.performDefaultHandling, 1), (.rejectProtectionSpace, 1), (.useCredential, 1),
    ])
    func `an answer without a credential delivers the response`(disposition: URLSession.AuthChallengeDisposition, count: Int) async throws {
        let server = try basicServer()
        let session = session(ScriptedHandler((disposition, nil)))

        let response = await session.request(server.url("/")).serializingString().response

        #expect(response.value == "out")
        #expect(response.response?.statusCode == 401)
        #expect(server.requestCount == count)
    }

    @Test func `cancelling a challenge fails the request and says so`() async throws {
        let server = try basicServer()
        let session = session(ScriptedHandler((.cancelAuthenticationChallenge, nil)))

        let response = await session.request(server.url("/")).serializingString().response

        #expect((response.error?.underlyingError as? URLError)?.code == .userCancelledAuthentication)
        #expect(response.error?.isExplicitlyCancelledError == false)
        #expect(server.requestCount == 1)
    }

    @Test func `the same credential again delivers the response that refused it`() async throws {
        let server = try basicServer()
        let handler = ScriptedHandler((.useCredential, Self.wrong))
        let session = session(handler)

        let response = await session.request(server.url("/")).serializingString().response

        #expect(response.response?.statusCode == 401)
        #expect(handler.questions.events.count == 2)
        #expect(server.requestCount == 2)
    }

    @Test func `the request's own credential goes first and unasked; refused, it is proposed`() async throws {
        let server = try basicServer()
        let handler = ScriptedHandler((.useCredential, Self.right))
        let session = session(handler)

        let request = session.request(server.url("/")).authenticate(username: "somebody", password: "wrong")
        let text = try await request.serializingString().value

        #expect(text == "in")
        #expect(handler.questions.events.map(\.proposed) == ["somebody"])
        #expect(handler.questions.events.map(\.failures) == [1])
    }

    @Test func `default handling uses what the configuration's storage has`() async throws {
        let server = try basicServer()
        let handler = ScriptedHandler((.performDefaultHandling, nil))
        let storage = URLCredentialStorage()
        let space = URLProtectionSpace(
            host: "127.0.0.1", port: server.port, protocol: "http", realm: "r", authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        storage.setDefaultCredential(URLCredential(user: "user", password: "secret", persistence: .forSession), for: space)
        let session = session(handler) { $0.urlCredentialStorage = storage }

        let text = try await session.request(server.url("/")).serializingString().value

        #expect(text == "in")
        #expect(handler.questions.events.map(\.proposed) == ["user"])
    }

    @Test func `a request's own handler is asked instead of the session's`() async throws {
        let server = try basicServer()
        let ofSession = ScriptedHandler((.cancelAuthenticationChallenge, nil))
        let session = session(ofSession)

        let request = session.request(server.url("/")).answerChallenges(using: .answering { _, _ in (.useCredential, Self.right) })

        #expect(try await request.serializingString().value == "in")
        #expect(ofSession.questions.events.isEmpty)
    }

    @Test func `a handler may take its time, while other requests go on`() async throws {
        let server = try TestServer { request in
            request.path == "/open" || request.fields.values("Authorization") == [Self.basic]
                ? .ok("in") : .status(401, fields: ["WWW-Authenticate": #"Basic realm="r""#])
        }
        let handler = ScriptedHandler((.useCredential, Self.right), gate: TestGate())
        let session = session(handler)

        async let guarded = session.request(server.url("/guarded")).serializingString().value
        try await handler.gate.waitForWaiters()
        #expect(try await session.request(server.url("/open")).serializingString().value == "in")
        handler.gate.open()

        #expect(try await guarded == "in")
    }

    @Test func `cancelling the request cancels the handler's task, and its answer comes too late`() async throws {
        let server = try basicServer()
        let wasCancelled = EventRecorder<Bool>()
        let gate = TestGate()
        let session = session(
            .answering { _, _ in
                do { try await gate.pass() } catch {}
                wasCancelled.record(Task.isCancelled)
                return (.useCredential, Self.right)
            })

        let request = session.request(server.url("/"))
        async let response = request.serializingString().response
        try await gate.waitForWaiters()
        request.cancel()

        #expect(await response.error?.isExplicitlyCancelledError == true)
        #expect(try await wasCancelled.wait(for: 1) == [true])
        #expect(server.requestCount == 1)
    }

    @Test func `where a redirect leads, the host that asks is the one that is named and answered`() async throws {
        let second = try basicServer()
        let first = try TestServer { [target = second.url("/there").absoluteString] _ in .redirect(to: target) }
        let handler = ScriptedHandler((.useCredential, Self.right))
        let session = session(handler)

        let text = try await session.request(first.url("/here")).serializingString().value

        #expect(text == "in")
        #expect(handler.questions.events.map(\.space) == ["127.0.0.1:\(second.port)"])
        #expect(first.requests.allSatisfy { $0.fields.values("Authorization").isEmpty })
    }

    // MARK: Schemes

    @Test func `of several schemes the strongest is asked about first, then the next`() async throws {
        let server = try TestServer { request in
            request.fields.values("Authorization") == [Self.basic]
                ? .ok("in")
                : .status(401, fields: ["WWW-Authenticate": #"Basic realm="b", Digest realm="d", nonce="n", qop="auth""#])
        }
        let handler = ScriptedHandler((.rejectProtectionSpace, nil), (.useCredential, Self.right))
        let session = session(handler)

        let text = try await session.request(server.url("/")).serializingString().value

        #expect(text == "in")
        #expect(
            handler.questions.events.map(\.method) == [NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodHTTPBasic])
        #expect(handler.questions.events.map(\.realm) == ["d", "b"])
    }

    @Test(
        .enabled(if: StartedServer.apache.isExpected, "needs Apache: run Scripts/test"),
        arguments: [("digest", NSURLAuthenticationMethodHTTPDigest), ("basic", NSURLAuthenticationMethodHTTPBasic)])
    func `Apache's Digest and Basic are answered with the handler's credential`(path: String, method: String) async throws {
        let url = try StartedServer.apache.url.appendingPathComponent("\(path)/message.json")
        let credential = URLCredential(
            user: try StartedServer.value("USER_NAME"), password: try StartedServer.value("PASSWORD"), persistence: .none)
        let handler = ScriptedHandler((.useCredential, credential))
        let session = session(handler)

        let response = await session.request(url).serializingData().response

        #expect(response.response?.statusCode == 200)
        #expect(handler.questions.events.map(\.method) == [method])
    }

    @Test(.enabled(if: Session.capabilities.contains(.transportAuthentication), "the engine has no NTLM"))
    func `NTLM's messages are made of the handler's credential`() async throws {
        let messages = EventRecorder<UInt8>()
        let server = try TestServer { request in
            guard let type = NTLMMessages.type(of: request.fields["Authorization"]) else {
                return .status(401, fields: ["WWW-Authenticate": "NTLM"])
            }
            messages.record(type)
            return type == 1 ? .status(401, fields: ["WWW-Authenticate": NTLMMessages.challenge]) : .ok("in")
        }
        let handler = ScriptedHandler((.useCredential, Self.right))
        let session = session(handler)

        let text = try await session.request(server.url("/")).serializingString().value

        #expect(text == "in")
        #expect(messages.events == [1, 3])
        #expect(handler.questions.events.map(\.method) == [NSURLAuthenticationMethodNTLM])
    }

    @Test(.enabled(if: Session.capabilities.contains(.transportAuthentication), "the engine has no Negotiate"))
    func `a handler that has nothing for Negotiate is asked about Basic`() async throws {
        let server = try TestServer { request in
            request.fields.values("Authorization") == [Self.basic]
                ? .ok("in") : .status(401, fields: ["WWW-Authenticate": "Negotiate", "WWW-Authenticate": #"Basic realm="b""#])
        }
        let handler = ScriptedHandler((.rejectProtectionSpace, nil), (.useCredential, Self.right))
        let session = session(handler)

        let text = try await session.request(server.url("/")).serializingString().value

        #expect(text == "in")
        #expect(handler.questions.events.map(\.method) == [NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodHTTPBasic])
    }

    // MARK: Proxies

    @Test(.enabled(if: Session.capabilities.contains(.proxies), "the engine has no proxies"), arguments: ["http", "https"])
    func `a proxy's challenge names the proxy, for a tunnel as well`(scheme: String) async throws {
        let proxy = try TestServer { request in
            request.fields.values("Proxy-Authorization") == [Self.basic]
                ? .status(502, "no such host") : .status(407, fields: ["Proxy-Authenticate": #"Basic realm="p""#])
        }
        let handler = ScriptedHandler((.useCredential, Self.right))
        var transport = TransportConfiguration()
        transport.proxy = .proxy(ProxyServer(host: "127.0.0.1", port: proxy.port), except: [])
        let session = Session(transport: transport, challengeHandler: handler)

        _ = await session.request("\(scheme)://origin.test/").serializingData().response

        #expect(proxy.requests.map { $0.fields.values("Proxy-Authorization").count } == [0, 1])
        #expect(proxy.requests.allSatisfy { $0.fields.values("Authorization").isEmpty })
        #expect(
            handler.questions.events == [
                .init(space: "127.0.0.1:\(proxy.port)", realm: "p", method: NSURLAuthenticationMethodHTTPBasic, isProxy: true)
            ])
    }
}

/// As much of a server's side of NTLM as it takes to tell the client's messages apart.
private enum NTLMMessages {
    /// The second message, with a fixed challenge.
    static let challenge: String = {
        var message = Data("NTLMSSP\0".utf8)
        message += [2, 0, 0, 0] + [0, 0, 0, 0, 56, 0, 0, 0] + [0x01, 0x82, 0, 0] + [1, 2, 3, 4, 5, 6, 7, 8] + Data(count: 24)
        return "NTLM " + message.base64EncodedString()
    }()

    static func type(of field: String?) -> UInt8? {
        guard let field, field.hasPrefix("NTLM "), let message = Data(base64Encoded: String(field.dropFirst(5))), message.count > 8 else {
            return nil
        }
        return message[8]
    }
}
