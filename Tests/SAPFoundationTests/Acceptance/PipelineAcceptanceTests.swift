// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The acceptance tests of the observers' pipeline, by number.
@Suite(.timeLimit(.minutes(1)))
struct PipelineAcceptanceTests {
    private struct Refusal: Error, Equatable {}

    @Test func `14: registering an instance twice ends the program with a message`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let session = SAPURLSession()
            let observer = RecordingObserver("twice")
            session.register(observer)
            session.register(observer)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("this RecordingObserver is already registered with this session"))
    }

    @Test func `14: registerIfNeeded says whether it did, and unregister undoes it`() {
        let session = SAPURLSession()
        let observer = RecordingObserver("one")
        #expect(session.registerIfNeeded(observer))
        #expect(!session.registerIfNeeded(observer))
        #expect(session.isRegistered(observer))
        #expect(session.registeredObservers.count == 1)
        session.unregister(observer)
        session.unregister(observer)
        #expect(!session.isRegistered(observer))
    }

    @Test func `15: observers are asked in order, each with the request of the one before, the delegate last`() async throws {
        let server = try TestServer { $0.path == "/a" ? .redirect(to: "/b") : .ok("b") }
        let events = EventRecorder<String>()
        let session = SAPURLSession(delegate: RecordingObserver("delegate", events))
        for name in ["1", "2"] {
            let observer = RecordingObserver(name, events)
            observer.onSend = { request in
                var request = request
                request.setValue((request.value(forHTTPHeaderField: "X-Way") ?? "") + name, forHTTPHeaderField: "X-Way")
                return .use(request)
            }
            session.register(observer)
        }

        let outcome = await session.outcome(of: server.url("/a"))

        #expect(outcome.text == "b")
        #expect(server.requests.map { $0.fields.values("X-Way") } == [["12"], ["12"]])
        // The delegate's creation call has no answer, so it may come anywhere behind the observers'.
        #expect(
            events.events.filter { $0 != "delegate create" } == [
                "1 send", "2 send", "1 create", "2 create", "1 redirect 302", "2 redirect 302", "delegate redirect 302", "1 response 200",
                "2 response 200", "delegate response 200", "1 complete", "2 complete",
            ])
    }

    @Test(arguments: ["send", "redirect", "challenge", "response"])
    func `15: cancelling in a phase ends the task with that error`(phase: String) async throws {
        let server = try TestServer { request in
            switch request.path {
            case "/redirect": .redirect(to: "/")
            case "/challenge": .challenge()
            default: .ok("content")
            }
        }
        let session = SAPURLSession()
        let events = EventRecorder<String>()
        let refusing = RecordingObserver("refusing", events)
        switch phase {
        case "send": refusing.onSend = { _ in .cancel(Refusal()) }
        case "redirect": refusing.onRedirect = { _ in .cancel(Refusal()) }
        case "challenge": refusing.onChallenge = { _ in .cancel(Refusal()) }
        default: refusing.onResponse = { _ in .cancel(Refusal()) }
        }
        session.register(refusing)
        session.register(RecordingObserver("behind", events))

        let outcome = await session.outcome(of: server.url("/\(phase)"))

        #expect(outcome.error is Refusal)
        #expect(outcome.data == nil)
        #expect(outcome.status == ["redirect": 302, "challenge": 401, "response": 200][phase])
        #expect(!events.events.contains { $0.hasPrefix("behind \(phase)") })
        #expect(events.events.suffix(2) == ["refusing complete", "behind complete"])
    }

    @Test func `15: a resend begins again with the same task, unseen by the caller`() async throws {
        let server = try TestServer()
        server.enqueue(.ok("log in first"), .ok("the content"))
        let events = EventRecorder<String>()
        let session = SAPURLSession()
        let resending = RecordingObserver("resending", events)
        let isFirst = Locked(true)
        resending.onResponse = { _ in
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            } ? .resend : .allow
        }
        session.register(resending)

        let outcome = await session.outcome(of: server.url("/"))

        #expect(outcome.text == "the content")
        #expect(resending.taskIDs.events.count == 2)
        #expect(Set(resending.taskIDs.events).count == 1)
        #expect(
            events.events == [
                "resending send", "resending create", "resending response 200", "resending send", "resending create",
                "resending response 200", "resending complete",
            ])
    }

    @Test func `15: resends end after four`() async throws {
        let server = try TestServer { _ in .ok }
        let session = SAPURLSession()
        let resending = RecordingObserver("resending")
        resending.onResponse = { _ in .resend }
        session.register(resending)

        let outcome = await session.outcome(of: server.url("/"))

        guard case .tooManyResends(limit: 4)? = outcome.error as? SAPURLSessionPipelineError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(server.requestCount == 5)
        #expect(resending.events.events.count { $0 == "resending complete" } == 1)
    }

    @Test func `15: answers to challenges end after six`() async throws {
        let server = try TestServer { _ in .challenge() }
        let session = SAPURLSession()
        let guessing = RecordingObserver("guessing")
        let count = Locked(0)
        guessing.onChallenge = { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .use(URLCredential(user: "a", password: "\(number)", persistence: .none))
        }
        session.register(guessing)

        let outcome = await session.outcome(of: server.url("/"))

        guard case .tooManyResends(limit: 6)? = outcome.error as? SAPURLSessionPipelineError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(server.requestCount == 7)
        #expect(guessing.events.events.filter { $0.contains("challenge") } == (0...6).map { "guessing challenge \($0)" })
    }

    @Test func `15: a delegate task gets its content in order and its end`() async throws {
        let server = try TestServer { _ in .repeating(Data("0123456789".utf8), count: 3_000_000) }
        let delegate = RecordingObserver("delegate")
        let session = SAPURLSession(delegate: delegate)

        session.dataTask(with: server.url("/")).resume()
        _ = try await delegate.events.wait { $0.contains("delegate complete") }

        let content = delegate.data.events.reduce(into: Data()) { $0.append($1) }
        #expect(content.count == 3_000_000)
        #expect(content == Data(String(repeating: "0123456789", count: 300_000).utf8))
    }

    @Test func `16: clear ends who waits, throws late results away, and empties the store`() async throws {
        let server = try TestServer.guarded()
        let url = server.url("/")
        let store = RecordingStore()
        let gate = TestGate()
        let discovery = ScriptedDiscovery(.success(.alice), gate: gate)
        let observer = BasicAuthenticationObserver(basicCredentialDiscovery: discovery, basicCredentialStore: store)
        let session = SAPURLSession()
        session.register(observer)

        async let outcome = session.outcome(of: url)
        try await gate.waitForWaiters()
        observer.clear()
        #expect(await outcome.error as? BasicCredentialDiscoveryError == .cancelled)
        gate.open()

        #expect(store.events == [.read(url), .delete(url), .clear])
        #expect(try observer.get(for: url) == nil)
        // The late result was thrown away: it is not there for the next request, which asks again.
        #expect(await session.outcome(of: url).status == 200)
        #expect(discovery.questions.events.count == 2)
    }

    @Test func `16: clear called from within the store does not deadlock`() async throws {
        final class Store: BasicCredentialStoring, @unchecked Sendable {  // set before use
            var clearing: () -> Void = {}
            func store(credential: BasicCredential, for url: URL) throws {}
            func credential(for url: URL) throws -> BasicCredential? {
                clearing()
                return .alice
            }
            func delete(for url: URL) throws {}
        }
        let server = try TestServer.guarded()
        let store = Store()
        let observer = BasicAuthenticationObserver(
            basicCredentialDiscovery: ScriptedDiscovery(.success(.alice)), basicCredentialStore: store)
        store.clearing = { [weak observer] in observer?.clear() }
        let session = SAPURLSession()
        session.register(observer)
        #expect(await session.outcome(of: server.url("/")).status == 200)
    }

    @Test func `17: a task that waits can be cancelled, and an answer that comes late is ignored`() async throws {
        let server = try TestServer.guarded()
        let gate = TestGate()
        let session = SAPURLSession()
        session.register(
            BasicAuthenticationObserver(
                basicCredentialDiscovery: ScriptedDiscovery(.success(.alice), gate: gate), basicCredentialStore: RecordingStore()))
        let outcomes = EventRecorder<Outcome>()

        let task = session.dataTask(with: URLRequest(url: server.url("/"))) { data, response, error in
            outcomes.record(Outcome(data: data, response: response as? HTTPURLResponse, error: error))
        }
        task.resume()
        try await gate.waitForWaiters()
        #expect(task.state == .running)
        task.cancel()
        let outcome = try #require(try await outcomes.wait(for: 1).first)
        gate.open()

        #expect((outcome.error as? URLError)?.code == .cancelled)
        #expect(task.state == .completed)
        // The credential found meanwhile serves the next request; the cancelled one stays at one outcome.
        #expect(await session.outcome(of: server.url("/")).status == 200)
        #expect(outcomes.events.count == 1)
    }

    @Test func `17: a session that is invalidated while a task waits ends it, tells everybody and lets them go`() async throws {
        let server = try TestServer.guarded()
        try await withLeakCheck([.connections(to: server)]) {
            weak var leftSession: SAPURLSession?
            weak var leftObserver: RecordingObserver?
            let delegate = RecordingObserver("delegate")
            do {
                let session = SAPURLSession(delegate: delegate)
                let observer = RecordingObserver("hanging")
                observer.onChallenge = { _ in nil }
                session.register(observer)
                leftSession = session
                leftObserver = observer
                async let outcome = session.outcome(of: server.url("/"))
                _ = try await observer.events.wait { $0.contains("hanging challenge 0") }
                session.invalidateAndCancel()
                #expect((await outcome.error as? URLError)?.code == .cancelled)
                _ = try await delegate.events.wait { $0.contains("delegate invalid") }
                #expect(observer.events.events.suffix(2) == ["hanging complete", "hanging invalid"])
                #expect(!session.isValid)
                #expect(session.delegate == nil)
                #expect(session.registeredObservers.isEmpty)
                #expect(await session.outcome(of: server.url("/")).error as? SAPURLSessionError != nil)
            }
            let end = ContinuousClock.now + .seconds(10)
            while leftSession != nil || leftObserver != nil, ContinuousClock.now < end { await Task.yield() }
            #expect(leftSession == nil)
            #expect(leftObserver == nil)
        }
    }

    @Test func `17: cancelling a Swift task cancels its request`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        let session = SAPURLSession()
        let task = Task { [url = server.url("/")] in try await session.data(for: URLRequest(url: url)) }
        try await server.waitForRequests(count: 1)
        task.cancel()
        await #expect(throws: URLError(.cancelled)) { try await task.value }
        gate.open()
    }

    @Test func `17: a task that is cancelled before it is resumed is never sent`() async throws {
        let server = try TestServer { _ in .ok }
        let session = SAPURLSession()
        let outcomes = EventRecorder<Outcome>()
        let task = session.dataTask(with: server.url("/")) { outcomes.record(Outcome(data: $0, response: nil, error: $2)) }
        task.cancel()
        task.resume()
        #expect((try await outcomes.wait(for: 1)[0].error as? URLError)?.code == .cancelled)
        #expect(server.requestCount == 0)
    }

    @Test func `18: content is sent again byte for byte; a stream that cannot be is an error`() async throws {
        let server = try TestServer.guarded()
        let session = SAPURLSession()
        session.register(
            BasicAuthenticationObserver(
                basicCredentialDiscovery: ScriptedDiscovery(.success(.alice)), basicCredentialStore: RecordingStore()))
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        let content = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        request.httpBody = content
        #expect(await session.outcome(of: request).status == 200)
        #expect(server.requests.map(\.body) == [content, content])
        #expect(server.requests.map(\.method) == ["POST", "POST"])

        request.httpBody = nil
        request.httpBodyStream = InputStream(data: Data("once".utf8))
        let outcome = await session.outcome(of: request)
        guard case .bodyNotReplayable? = outcome.error as? SAPURLSessionPipelineError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
        #expect(server.requestCount == 3)
    }

    @Test func `a handler that is called twice counts once, and the fault is reported`() async throws {
        let once = Locked(0)
        final class Twice: SAPURLSessionObserving {
            func sapURLSession(
                _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
                completionHandler: @escaping (SAPURLSession.RequestDisposition) -> Void
            ) {
                completionHandler(.use(request))
                completionHandler(.use(request))
            }
        }
        SAPDiagnostics.handler = { level, message in
            if level == .fault, message.contains("willSend") { once.withLock { $0 += 1 } }
        }
        defer { SAPDiagnostics.handler = nil }
        let server = try TestServer { _ in .ok }
        let session = SAPURLSession()
        session.register(Twice())
        #expect(await session.outcome(of: server.url("/")).status == 200)
        #expect(server.requestCount == 1)
        #expect(once.withLock { $0 } == 1)
    }

    @Test(arguments: ["ftp://example.com/", "file:///etc/hosts"])
    func `a URL that is neither http nor https is refused with an error`(text: String) async throws {
        let outcome = await SAPURLSession().outcome(of: try #require(URL(string: text)))
        guard case .invalidRequest? = outcome.error as? SAPURLSessionError else {
            Issue.record("unexpected error: \(String(describing: outcome.error))")
            return
        }
    }

    @Test func `suspending holds the next step back until it is resumed`() async throws {
        let server = try TestServer { _ in .ok("content") }
        let session = SAPURLSession()
        let answers = Locked<[@Sendable () -> Void]>([])
        final class Holding: SAPURLSessionObserving {
            let answers: Locked<[@Sendable () -> Void]>
            let asked = EventRecorder<Void>()
            init(_ answers: Locked<[@Sendable () -> Void]>) { self.answers = answers }
            func sapURLSession(
                _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
                completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
            ) {
                answers.withLock { $0.append { completionHandler(.use(request)) } }
                asked.record(())
            }
        }
        let holding = Holding(answers)
        session.register(holding)
        let outcomes = EventRecorder<Outcome>()
        let task = session.dataTask(with: server.url("/")) { outcomes.record(Outcome(data: $0, response: nil, error: $2)) }
        task.resume()
        _ = try await holding.asked.wait(for: 1)
        task.suspend()
        for answer in answers.withLock({ $0 }) { answer() }
        #expect(task.state == .suspended)
        task.resume()
        #expect(try await outcomes.wait(for: 1)[0].text == "content")
    }
}
