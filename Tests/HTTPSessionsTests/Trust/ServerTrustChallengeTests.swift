// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Judges servers by a closure, and writes down what it was shown.
private final class Judge: ChallengeHandler {
    enum Verdict: Sendable { case accept, asTheSystem, reject, cancel, password }

    struct Question: Equatable, Sendable {
        let host: String
        let port: Int
        let certificates: [Data]
    }

    let answersServerTrust: Bool
    let questions = EventRecorder<Question>()
    let others = EventRecorder<String>()
    let gate: TestGate
    private let verdict: @Sendable ([Data]) -> Verdict

    init(gate: TestGate = TestGate(isOpen: true), isAsked: Bool = true, _ verdict: @escaping @Sendable ([Data]) -> Verdict) {
        answersServerTrust = isAsked
        self.gate = gate
        self.verdict = verdict
    }

    nonisolated(nonsending) func answer(
        _ challenge: URLAuthenticationChallenge, for request: Request
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let space = challenge.protectionSpace
        guard let certificates = challenge.serverCertificates else {
            others.record(space.authenticationMethod)
            return (.useCredential, URLCredential(user: "user", password: "passwd", persistence: .none))
        }
        questions.record(Question(host: space.host, port: space.port, certificates: certificates))
        try? await gate.pass()
        return switch verdict(certificates) {
        case .accept: (.useCredential, ServerTrustCredential(accepting: challenge))
        case .asTheSystem: (.performDefaultHandling, nil)
        case .reject: (.rejectProtectionSpace, nil)
        case .cancel: (.cancelAuthenticationChallenge, nil)
        case .password: (.useCredential, URLCredential(user: "user", password: "passwd", persistence: .none))
        }
    }
}

@Suite(
    .timeLimit(.minutes(1)),
    .enabled(
        if: Session.capabilities.contains(.serverTrustChallenges) && StartedServer.https.isExpected,
        "needs nginx and an engine that shows certificates: run Scripts/test"))
struct ServerTrustChallengeTests {
    private func session(
        _ judge: Judge, authorities: TLSConfiguration.Authorities? = nil, pins: ServerTrustManager? = nil
    ) throws -> Session {
        var transport = TransportConfiguration()
        transport.tls.authorities = try authorities ?? .pemFile(StartedServer.file("CA_FILE"))
        return Session(
            transport: transport, configuration: URLSessionConfiguration.af.ephemeral, serverTrustManager: pins, challengeHandler: judge)
    }

    private func certificate(_ name: String) throws -> Data {
        let file = try StartedServer.file("CA_FILE").deletingLastPathComponent().appendingPathComponent("\(name).pem")
        return try #require(CertificateFile.certificates(in: try Data(contentsOf: file)).first)
    }

    private func message(_ server: StartedServer) throws -> URL { try server.url.appendingPathComponent("message.json") }
    private func message(_ relay: SwitchingRelay) throws -> URL {
        try #require(URL(string: "https://localhost:\(relay.port)/message.json"))
    }
    private func port(_ server: StartedServer) throws -> Int { try #require(try server.url.port) }

    private func status(_ session: Session, _ url: URL) async -> Int? {
        await session.request(url).serializingData().response.response?.statusCode
    }

    private func error(_ session: Session, _ url: URL) async -> AFError? {
        await session.request(url).serializingData().response.error
    }

    @Test(arguments: [StartedServer.httpsSelfSigned, .httpsExpired, .httpsWrongHost, .https, .httpsTLS12])
    func `a handler that agrees to what it is shown is asked once, whatever the system thinks of it`(server: StartedServer) async throws {
        let judge = Judge { _ in .accept }
        let session = try session(judge)

        for _ in 0..<3 { #expect(await status(session, try message(server)) == 200) }

        let questions = judge.questions.events
        #expect(questions.count == 1)
        #expect(questions.first?.host == "localhost")
        #expect(try questions.first?.port == port(server))
        let names = [StartedServer.httpsSelfSigned: "self_signed", .httpsExpired: "expired", .httpsWrongHost: "other_host"]
        #expect(try questions.first?.certificates.first == certificate(names[server] ?? "server"))
    }

    @Test func `nobody is asked without having said so, and the system's verdict stands`() async throws {
        let relay = try SwitchingRelay(to: try port(.httpsSelfSigned))
        defer { relay.end() }
        let judge = Judge(isAsked: false) { _ in .accept }
        let session = try session(judge)

        #expect((await error(session, try message(relay)))?.httpError?.kind == .certificateUntrusted)
        #expect(judge.questions.events.isEmpty)
        #expect(relay.connectionCount == 1)
        let asked = try self.session(Judge { _ in .accept })
        #expect(await status(asked, try message(relay)) == 200)
        #expect(relay.connectionCount == 3, "one that shows the certificates, one that is used")
    }

    @Test func `what is left to the system, the system decides`() async throws {
        let judge = Judge { _ in .asTheSystem }
        let session = try session(judge)

        #expect(await status(session, try message(.https)) == 200)
        #expect(await status(session, try message(.https)) == 200)
        #expect(judge.questions.events.count == 1)
        for (server, kind) in [
            (StartedServer.httpsSelfSigned, HTTPError.Kind.certificateUntrusted), (.httpsExpired, .certificateExpired),
            (.httpsWrongHost, .certificateWrongHost),
        ] {
            #expect((await error(session, try message(server)))?.httpError?.kind == kind)
        }
        // It may think differently the next time.
        #expect((await error(session, try message(.httpsSelfSigned)))?.httpError?.kind == .certificateUntrusted)
        #expect(judge.questions.events.count == 5)
    }

    @Test(arguments: [Judge.Verdict.reject, .cancel, .password])
    fileprivate func `whoever does not agree has nothing sent, not even to a server that the system trusts`(
        verdict: Judge.Verdict
    ) async throws {
        let path = "uploads/\(UUID().uuidString)"
        let refusing = try session(Judge { _ in verdict })
        let agreeing = try session(Judge { _ in .accept })
        let url = try StartedServer.https.url.appendingPathComponent(path)

        let response = await refusing.upload(Data("content".utf8), to: url, method: .put).serializingData().response

        let error = try #require(response.error)
        #expect(response.response == nil)
        if verdict == .cancel {
            #expect((error.underlyingError as? URLError)?.code == .userCancelledAuthentication)
        } else {
            #expect(error.isServerTrustEvaluationError)
            #expect("\(error)".contains(verdict == .reject ? "were rejected" : "ServerTrustCredential"))
        }
        #expect(!"\(error)".contains("passwd"))
        #expect(await status(agreeing, url) == 404)
    }

    @Test func `requests at the same time share one question`() async throws {
        let gate = TestGate()
        let judge = Judge(gate: gate) { _ in .accept }
        let session = try session(judge)
        let url = try message(.httpsSelfSigned)
        // All of them have been shown the certificates before there is an answer.
        let requests = (0..<20).map { _ in session.request(url) }
        let statuses = EventRecorder<Int?>()
        for request in requests { request.response(queue: .global()) { statuses.record($0.response?.statusCode) } }

        try await gate.waitForWaiters()
        gate.open()

        #expect(try await statuses.wait(for: 20) == Array(repeating: 200, count: 20))
        #expect(judge.questions.events.count == 1)
    }

    @Test func `a refusal is not remembered: the next request asks again`() async throws {
        let gate = TestGate()
        let judge = Judge(gate: gate) { _ in .reject }
        let session = try session(judge)
        let url = try message(.httpsSelfSigned)
        let first = session.request(url)
        async let firstError = first.serializingData().response.error
        try await gate.waitForWaiters()
        gate.open()

        #expect(await firstError?.isServerTrustEvaluationError == true)
        #expect(await error(session, url)?.isServerTrustEvaluationError == true)
        #expect(judge.questions.events.count == 2)
    }

    @Test func `if whoever asks is cancelled, the next one asks`() async throws {
        let gate = TestGate()
        let judge = Judge(gate: gate) { _ in .accept }
        let session = try session(judge)
        let url = try message(.httpsSelfSigned)

        let first = session.request(url)
        async let firstError = first.serializingData().response.error
        try await gate.waitForWaiters()
        async let second = status(session, url)
        first.cancel()
        #expect(await firstError?.isExplicitlyCancelledError == true)
        gate.open()

        #expect(await second == 200)
        #expect(judge.questions.events.count == 2)
    }

    @Test func `the engine goes on while somebody thinks about a server`() async throws {
        let gate = TestGate()
        let session = try session(Judge(gate: gate) { _ in .accept })
        let plain = try StartedServer.http.url.appendingPathComponent("message.json")
        let url = try message(.httpsSelfSigned)

        async let asked = status(session, url)
        try await gate.waitForWaiters()
        #expect(await status(session, plain) == 200)
        gate.open()

        #expect(await asked == 200)
    }

    // MARK: A decision holds for one chain

    @Test func `a server that shows other certificates is asked about anew, and gets nothing without a yes`() async throws {
        let relay = try SwitchingRelay(to: try port(.httpsSelfSigned))
        defer { relay.end() }
        let selfSigned = try certificate("self_signed")
        let judge = Judge { $0.first == selfSigned ? .accept : .reject }
        let session = try session(judge)
        let url = try message(relay)

        #expect(await status(session, url) == 200)
        // Even to certificates that the system would take.
        relay.change(to: try port(.https))
        #expect(await error(session, url)?.isServerTrustEvaluationError == true)
        relay.change(to: try port(.httpsSelfSigned))
        #expect(await status(session, url) == 200)

        #expect(try judge.questions.events.map { $0.certificates.first } == [selfSigned, certificate("server")])
    }

    @Test func `what was left to the system does not cover other certificates, good or bad`() async throws {
        let relay = try SwitchingRelay(to: try port(.https))
        defer { relay.end() }
        let judge = Judge { _ in .asTheSystem }
        let session = try session(judge)
        let url = try message(relay)

        #expect(await status(session, url) == 200)
        relay.change(to: try port(.httpsSelfSigned))
        #expect(await error(session, url)?.httpError?.kind == .certificateUntrusted)
        relay.change(to: try port(.https))
        #expect(await status(session, url) == 200)

        let names = try judge.questions.events.map { $0.certificates.first == (try certificate("server")) ? "server" : "self_signed" }
        #expect(names == ["server", "self_signed", "server"])
    }

    @Test func `a server that shows other certificates after the question is asked about again, before anything is sent`() async throws {
        let relay = try SwitchingRelay(to: try port(.httpsSelfSigned))
        defer { relay.end() }
        let expired = try port(.httpsExpired)
        let selfSigned = try certificate("self_signed")
        let judge = Judge { shown in
            // Between what is shown and what is sent.
            if shown.first == selfSigned { relay.change(to: expired) }
            return shown.first == selfSigned ? .accept : .reject
        }
        let session = try session(judge)

        #expect(await error(session, try message(relay))?.isServerTrustEvaluationError == true)
        #expect(judge.questions.events.count == 2)
    }

    @Test func `a server that shows others every time is given up`() async throws {
        let relay = try SwitchingRelay(to: try port(.httpsSelfSigned))
        defer { relay.end() }
        let selfSigned = try certificate("self_signed")
        let (first, second) = (try port(.httpsSelfSigned), try port(.httpsExpired))
        let judge = Judge { shown in
            relay.change(to: shown.first == selfSigned ? second : first)
            return .accept
        }
        let session = try session(judge)

        #expect((await error(session, try message(relay)))?.httpError?.kind == .serverTrustRefused)
        #expect(judge.questions.events.count == 5)
    }

    @Test func `another port is another server`() async throws {
        let judge = Judge { _ in .accept }
        let session = try session(judge)
        let relay = try SwitchingRelay(to: try port(.httpsSelfSigned))
        defer { relay.end() }

        #expect(await status(session, try message(.httpsSelfSigned)) == 200)
        #expect(await status(session, try message(relay)) == 200)

        #expect(judge.questions.events.map(\.port) == [try port(.httpsSelfSigned), relay.port])
    }

    // MARK: Pins

    @Test func `a yes does not undo a pin: nobody is even asked about a server that breaks it`() async throws {
        let pins = ServerTrustManager(evaluators: [
            "localhost": PinnedCertificatesTrustEvaluator(
                certificates: [try certificate("server")], performDefaultValidation: false, validateHost: false)
        ])
        let judge = Judge { _ in .accept }
        let session = try session(judge, pins: pins)

        let error = await error(session, try message(.httpsSelfSigned))

        guard case .serverTrustEvaluationFailed(.certificatePinningFailed)? = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(judge.questions.events.isEmpty)
    }

    @Test func `where a pin wants the system's checks, a yes does not leave them out`() async throws {
        let pins = ServerTrustManager(evaluators: [
            "localhost": PinnedCertificatesTrustEvaluator(certificates: [try certificate("self_signed")])
        ])
        let judge = Judge { _ in .accept }
        let session = try session(judge, pins: pins)

        #expect((await error(session, try message(.httpsSelfSigned)))?.httpError?.kind == .certificateUntrusted)
        #expect(judge.questions.events.count == 1)
    }

    @Test func `a server must have both the pin and the handler on its side`() async throws {
        let pins = ServerTrustManager(evaluators: [
            "localhost": PinnedCertificatesTrustEvaluator(
                certificates: [try certificate("self_signed")], acceptSelfSignedCertificates: true)
        ])

        #expect(await status(try session(Judge { _ in .accept }, pins: pins), try message(.httpsSelfSigned)) == 200)
        let refused = await error(try session(Judge { _ in .reject }, pins: pins), try message(.httpsSelfSigned))
        #expect(refused?.isServerTrustEvaluationError == true)
    }

    // MARK: With the rest

    @Test func `the server first, then the password: both by one handler`() async throws {
        let judge = Judge { _ in .accept }
        let session = try session(judge)
        let url = try StartedServer.httpsSelfSigned.url.appendingPathComponent("basic/message.json")

        #expect(await status(session, url) == 200)
        #expect(judge.questions.events.count == 1)
        #expect(judge.others.events == [NSURLAuthenticationMethodHTTPBasic])
    }

    @Test func `a redirect to another server is a question about that one`() async throws {
        let target = try message(.httpsSelfSigned)
        let plain = try TestServer { _ in .redirect(to: target.absoluteString) }
        let judge = Judge { _ in .accept }
        let session = try session(judge)

        #expect(await status(session, plain.url("/")) == 200)
        #expect(judge.questions.events.map(\.port) == [try port(.httpsSelfSigned)])
    }

    @Test func `a stream is sent once: what shows the certificates has not read it`() async throws {
        let session = try session(Judge { _ in .accept })
        let url = try StartedServer.httpsSelfSigned.url.appendingPathComponent("uploads/\(UUID().uuidString)")
        let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })

        let upload = await session.upload(InputStream(data: content), to: url, method: .put).serializingData(emptyResponseCodes: [201, 204])
            .response
        let back = await session.request(url).serializingData().response

        #expect(upload.response?.statusCode == 201)
        #expect(back.value == content)
        _ = await session.request(url, method: .delete).serializingData(emptyResponseCodes: [204]).response
    }

    @Test func `a credential for server trust is made of a challenge about certificates only`() {
        let space = URLProtectionSpace(
            host: "localhost", port: 443, protocol: "https", realm: "r", authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: ChallengeSender(OneDecision { _ in }))

        #expect(ServerTrustCredential(accepting: challenge) == nil)
        #expect(challenge.serverCertificates == nil)
    }
}
