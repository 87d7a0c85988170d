// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import SAPFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands out a new stream over the same content each time; with a gate, only when it is opened.
private final class StreamSource: SAPURLSessionDelegate {
    let content: Data
    let asked = EventRecorder<UUID>()
    let completed = EventRecorder<(any Error)?>()
    private let gate: TestGate

    init(_ content: Data, gate: TestGate = TestGate(isOpen: true)) {
        self.content = content
        self.gate = gate
    }

    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        asked.record(task.taskID)
        Task { [gate, content] in
            try? await gate.pass()
            completionHandler(InputStream(data: content))
        }
    }

    func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?) {
        completed.record(error)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct BodyStreamTests {
    private static let content = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private func request(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Self.content)
        return request
    }

    private func guarding(_ session: SAPURLSession) -> SAPURLSession {
        session.register(
            BasicAuthenticationObserver(
                basicCredentialDiscovery: ScriptedDiscovery(.success(.alice)), basicCredentialStore: InMemoryBasicCredentialStore()))
        return session
    }

    @Test func `18: after a challenge a stream is sent again from a new one that the delegate supplies`() async throws {
        let server = try TestServer.guarded()
        let source = StreamSource(Self.content)
        let session = guarding(SAPURLSession(delegate: source))

        let outcome = await session.outcome(of: request(server.url("/")))

        #expect(outcome.status == 200)
        #expect(server.requests.map(\.body) == [Self.content, Self.content])
        #expect(source.asked.events.count == 1)
    }

    @Test(arguments: [307, 308]) func `18: a redirect that keeps the content asks for a new stream`(status: Int) async throws {
        let server = try TestServer { $0.path == "/a" ? .redirect(to: "/b", status: status) : .ok("there") }
        let source = StreamSource(Self.content)
        let session = SAPURLSession(delegate: source)

        let outcome = await session.outcome(of: request(server.url("/a")))

        #expect(outcome.text == "there")
        #expect(server.requests.map(\.body) == [Self.content, Self.content])
        #expect(source.asked.events.count == 1)
    }

    @Test func `18: a redirect that makes a GET of it asks for none`() async throws {
        let server = try TestServer { $0.path == "/a" ? .redirect(to: "/b", status: 303) : .ok("there") }
        let source = StreamSource(Self.content)
        let session = SAPURLSession(delegate: source)

        #expect(await session.outcome(of: request(server.url("/a"))).text == "there")
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        #expect(source.asked.events.isEmpty)
    }

    @Test func `18: a resend asks for a new stream`() async throws {
        let server = try TestServer()
        server.enqueue(.ok("log in first"), .ok("the content"))
        let source = StreamSource(Self.content)
        let session = SAPURLSession(delegate: source)
        let resending = RecordingObserver("resending")
        let isFirst = Locked(true)
        resending.onResponse = { _ in
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            } ? .resend : .allow
        }
        session.register(resending)

        #expect(await session.outcome(of: request(server.url("/"))).text == "the content")
        #expect(server.requests.map(\.body) == [Self.content, Self.content])
        #expect(source.asked.events.count == 1)
    }

    @Test(arguments: ["challenge", "redirect", "resend"])
    func `18: without a new stream the task fails, and nothing is sent again`(reason: String) async throws {
        let server = try TestServer { request in
            switch request.path {
            case "/challenge": .challenge()
            case "/redirect": .redirect(to: "/", status: 307)
            default: .ok
            }
        }
        let session = guarding(SAPURLSession())
        let resending = RecordingObserver("resending")
        if reason == "resend" { resending.onResponse = { _ in .resend } }
        session.register(resending)

        let outcome = await session.outcome(of: request(server.url("/\(reason)")))

        guard case .bodyNotReplayable? = outcome.error as? SAPURLSessionPipelineError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(server.requestCount == 1)
    }

    @Test func `the server need not wait while the delegate looks for a new stream`() async throws {
        let server = try TestServer { request in
            request.authorization == [RecordedRequest.basic("alice", "correct-horse")] ? .ok("in") : .challenge().closing()
        }
        let gate = TestGate()
        let source = StreamSource(Self.content, gate: gate)
        let session = guarding(SAPURLSession(delegate: source))

        async let outcome = session.outcome(of: request(server.url("/")))
        try await gate.waitForWaiters()
        try await server.waitForOpenConnections(atMost: 0)
        gate.open()

        #expect(await outcome.text == "in")
        #expect(server.requests.map(\.body) == [Self.content, Self.content])
    }

    @Test func `a streamed upload gets its first stream from the delegate, too`() async throws {
        let server = try TestServer { _ in .ok }
        let source = StreamSource(Self.content)
        let session = SAPURLSession(delegate: source)
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "PUT"
        request.setValue("\(Self.content.count)", forHTTPHeaderField: "Content-Length")

        let task = session.uploadTask(withStreamedRequest: request)
        task.resume()

        #expect(try await source.completed.wait(for: 1)[0] == nil)
        #expect(source.asked.events == [task.taskID])
        #expect(server.requests.map(\.body) == [Self.content])
        #expect(server.requests.map { $0.fields.values("Content-Length") } == [["70000"]])
    }

    @Test func `cancelling while the delegate looks for a stream ends the task`() async throws {
        let server = try TestServer { _ in .ok }
        let gate = TestGate()
        let source = StreamSource(Self.content, gate: gate)
        let session = SAPURLSession(delegate: source)
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "PUT"

        let task = session.uploadTask(withStreamedRequest: request)
        task.resume()
        try await gate.waitForWaiters()
        task.cancel()

        #expect((try await source.completed.wait(for: 1)[0] as? URLError)?.code == .cancelled)
        gate.open()
        #expect(server.requestCount == 0)
    }
}
