// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import SAPFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A delegate or observer that judges servers later, from another thread.
private final class ServerJudge: SAPURLSessionDelegate, SAPURLSessionObserving {
    let answersServerTrust: Bool
    let shown = EventRecorder<[Data]>()
    let methods = EventRecorder<String>()
    let created = EventRecorder<Void>()
    private let gate: TestGate
    private let answer: @Sendable (URLAuthenticationChallenge) -> SAPURLSession.AuthChallengeDisposition

    init(
        isAsked: Bool = true, gate: TestGate = TestGate(isOpen: true),
        _ answer: @escaping @Sendable (URLAuthenticationChallenge) -> SAPURLSession.AuthChallengeDisposition
    ) {
        answersServerTrust = isAsked
        self.gate = gate
        self.answer = answer
    }

    static func accepting(_ challenge: URLAuthenticationChallenge) -> SAPURLSession.AuthChallengeDisposition {
        ServerTrustCredential(accepting: challenge).map { .use($0) } ?? .performDefaultHandling
    }

    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void
    ) {
        methods.record(challenge.protectionSpace.authenticationMethod)
        if let certificates = challenge.serverCertificates { shown.record(certificates) }
        Task { [gate, answer] in
            try? await gate.pass()
            completionHandler(answer(challenge))
        }
    }

    func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCreate sessionTask: URLSessionTask) { created.record(()) }
}

@Suite(
    .timeLimit(.minutes(1)),
    .enabled(
        if: DefaultTransport.make().capabilities.contains(.serverTrustChallenges) && StartedServer.httpsSelfSigned.isExpected,
        "needs nginx and an engine that shows certificates: run Scripts/test"))
struct ServerTrustTests {
    private struct Refusal: Error, Equatable {}

    private func url(_ path: String = "message.json", _ server: StartedServer = .httpsSelfSigned) throws -> URL {
        try server.url.appendingPathComponent(path)
    }

    private func connections() throws -> TransportConfiguration {
        var connections = TransportConfiguration()
        connections.tls.authorities = .pemFile(try StartedServer.file("CA_FILE"))
        return connections
    }

    @Test func `a delegate that judges servers is asked when the observers have passed, and answers later`() async throws {
        let gate = TestGate()
        let delegate = ServerJudge(gate: gate, ServerJudge.accepting)
        let passing = ServerJudge { _ in .performDefaultHandling }
        let session = SAPURLSession(connections: try connections(), delegate: delegate)
        session.register(passing)
        let url = try url()

        async let outcome = session.outcome(of: url)
        try await gate.waitForWaiters()
        #expect(passing.shown.events.count == 1)
        gate.open()

        #expect(await outcome.status == 200)
        #expect(await session.outcome(of: url).status == 200)
        #expect(delegate.shown.events.count == 1)
        #expect(delegate.methods.events == ["NSURLAuthenticationMethodServerTrust"])
        #expect(passing.created.events.count == 2, "what only shows certificates is no message")
    }

    @Test func `an observer that agrees ends the question`() async throws {
        let delegate = ServerJudge { _ in .cancel(Refusal()) }
        let session = SAPURLSession(connections: try connections(), delegate: delegate)
        session.register(ServerJudge(ServerJudge.accepting))

        #expect(await session.outcome(of: try url()).status == 200)
        #expect(delegate.shown.events.isEmpty)
    }

    @Test func `whoever has not said so is not asked about servers, though another one is`() async throws {
        let silent = ServerJudge(isAsked: false) { _ in .use(URLCredential(user: "user", password: "passwd", persistence: .none)) }
        let session = SAPURLSession(connections: try connections(), delegate: ServerJudge(ServerJudge.accepting))
        session.register(silent)

        #expect(await session.outcome(of: try url("basic/message.json")).status == 200)
        #expect(silent.methods.events == [NSURLAuthenticationMethodHTTPBasic])
    }

    @Test func `without anybody who wants to judge, the system's verdict stands`() async throws {
        let silent = ServerJudge(isAsked: false, ServerJudge.accepting)
        let session = SAPURLSession(connections: try connections(), delegate: silent)

        #expect((await session.outcome(of: try url()).error as? URLError)?.code == .serverCertificateHasUnknownRoot)
        #expect(await session.outcome(of: try url("message.json", .https)).status == 200)
        #expect(silent.methods.events.isEmpty)
    }

    @Test func `default handling by all leaves it to the system`() async throws {
        let session = SAPURLSession(connections: try connections(), delegate: ServerJudge { _ in .performDefaultHandling })

        #expect(await session.outcome(of: try url("message.json", .https)).status == 200)
        #expect((await session.outcome(of: try url()).error as? URLError)?.code == .serverCertificateHasUnknownRoot)
    }

    @Test func `cancelling is the task's error itself; rejecting says what was rejected`() async throws {
        let cancelling = SAPURLSession(connections: try connections(), delegate: ServerJudge { _ in .cancel(Refusal()) })
        let rejecting = SAPURLSession(connections: try connections(), delegate: ServerJudge { _ in .rejectProtectionSpace })

        #expect(await cancelling.outcome(of: try url("message.json", .https)).error as? Refusal == Refusal())
        let rejected = await rejecting.outcome(of: try url("message.json", .https)).error as? URLError
        #expect(rejected?.code == .serverCertificateUntrusted)
        #expect(rejected?.localizedDescription.contains("were rejected") == true)
    }

    @Test func `the server is judged before the observer's password goes out`() async throws {
        let delegate = ServerJudge(ServerJudge.accepting)
        let session = SAPURLSession(connections: try connections(), delegate: delegate)
        let credential = BasicCredential(username: try StartedServer.value("USER_NAME"), password: try StartedServer.value("PASSWORD"))
        let discovery = ScriptedDiscovery(.success(credential))
        let store = RecordingStore()
        session.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, basicCredentialStore: store))

        #expect(await session.outcome(of: try url("basic/message.json")).status == 200)
        #expect(delegate.shown.events.count == 1)
        #expect(discovery.questions.events.count == 1)
        #expect(store.contents.count == 1)
    }

    @Test func `a connection from before anybody wanted to judge is not taken for one that was judged`() async throws {
        let relay = try SwitchingRelay(to: try #require(try StartedServer.https.url.port))
        defer { relay.end() }
        let url = try #require(URL(string: "https://localhost:\(relay.port)/message.json"))
        let session = SAPURLSession(connections: try connections())
        #expect(await session.outcome(of: url).status == 200)
        #expect(relay.connectionCount == 1)

        let judge = ServerJudge { _ in .performDefaultHandling }
        session.register(judge)
        #expect(await session.outcome(of: url).status == 200)
        #expect(judge.shown.events.count == 1)
        #expect(relay.connectionCount == 3, "one that shows the certificates, and one that is known to have shown them")
        let refusing = ServerJudge { _ in .rejectProtectionSpace }
        session.unregister(judge)
        session.register(refusing)
        relay.change(to: try #require(try StartedServer.httpsExpired.url.port))
        #expect(await session.outcome(of: url).error is URLError)
    }

    @Test func `tasks that are cancelled one after the other each ask, and the last one is served`() async throws {
        let gate = TestGate()
        let judge = ServerJudge(gate: gate, ServerJudge.accepting)
        let session = SAPURLSession(connections: try connections(), delegate: judge)
        let outcomes = EventRecorder<Outcome>()
        let url = try url()
        let tasks = (0..<3).map { _ in
            session.dataTask(with: url) { outcomes.record(Outcome(data: $0, response: $1 as? HTTPURLResponse, error: $2)) }
        }

        for (count, task) in zip(1..., tasks) {
            task.resume()
            try await gate.waitForWaiters(count)
            if count < 3 { task.cancel() }
        }
        gate.open()

        let ends = try await outcomes.wait(for: 3)
        #expect(ends.map { ($0.error as? URLError)?.code } == [.cancelled, .cancelled, nil])
        #expect(ends.last?.status == 200)
        #expect(judge.shown.events.count == 3)
    }
}
