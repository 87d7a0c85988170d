// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The acceptance tests of Basic authentication, by number.
@Suite(.timeLimit(.minutes(1)))
struct BasicAcceptanceTests {
    private func session(
        _ store: any BasicCredentialStoring, _ discovery: any BasicCredentialDiscovery, delegate: (any SAPURLSessionDelegate)? = nil
    ) -> (SAPURLSession, BasicAuthenticationObserver) {
        // So many that twenty requests are all under way before the first prompt is answered.
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = 20
        let session = SAPURLSession(configuration: configuration, delegate: delegate)
        let observer = BasicAuthenticationObserver(basicCredentialDiscovery: discovery, basicCredentialStore: store)
        session.register(observer)
        return (session, observer)
    }

    @Test func `1: the caller sees the 200 only, once, and the second request carries the credential`() async throws {
        let server = try TestServer.guarded()
        let delegate = RecordingObserver("delegate")
        let session = SAPURLSession(delegate: delegate)
        let observer = BasicAuthenticationObserver(
            basicCredentialDiscovery: ScriptedDiscovery(.success(.alice)), basicCredentialStore: RecordingStore())
        session.register(observer)
        let last = RecordingObserver("last")
        session.register(last)
        let outcomes = EventRecorder<Outcome>()

        let task = session.dataTask(with: URLRequest(url: server.url("/orders"))) { data, response, error in
            outcomes.record(Outcome(data: data, response: response as? HTTPURLResponse, error: error))
        }
        task.resume()
        let outcome = try #require(try await outcomes.wait(for: 1).first)
        session.finishTasksAndInvalidate()
        _ = try await delegate.events.wait { $0.contains("delegate invalid") }

        #expect(outcome.status == 200)
        #expect(outcome.text == "the orders")
        #expect(outcome.error == nil)
        #expect(outcomes.events.count == 1)
        #expect(server.requests.map(\.authorization) == [[], [RecordedRequest.basic("alice", "correct-horse")]])
        #expect(!(delegate.events.events + last.events.events).contains { $0.contains("401") })
        #expect(last.events.events == ["last send", "last create", "last create", "last response 200", "last complete", "last invalid"])
        #expect(task.state == .completed)
    }

    @Test func `2: the store is asked first; what it lacks is discovered once and stored after the 200`() async throws {
        let server = try TestServer.guarded()
        let url = server.url("/orders?id=1")
        let storeURL = server.url("/orders")

        let unasked = ScriptedDiscovery(.success(.wrong()))
        let full = RecordingStore([storeURL: .alice])
        #expect(await session(full, unasked).0.outcome(of: url).status == 200)
        #expect(unasked.questions.events.isEmpty)
        #expect(full.events == [.read(storeURL)])

        let discovery = ScriptedDiscovery(.success(.alice))
        let empty = RecordingStore()
        #expect(await session(empty, discovery).0.outcome(of: url).status == 200)
        #expect(discovery.questions.events == [.init(url: storeURL, failures: 0)])
        #expect(empty.events == [.read(storeURL), .store(.alice, storeURL)])

        let failures = EventRecorder<URL>()
        let (failing, observer) = session(RecordingStore.failing(reading: true), ScriptedDiscovery(.success(.alice)))
        observer.storeErrorHandler = { _, url in failures.record(url) }
        #expect(await failing.outcome(of: url).status == 200)
        #expect(failures.events == [storeURL])
    }

    @Test func `3: a wrong stored password is deleted once and replaced; a wrong typed one is never stored`() async throws {
        let server = try TestServer.guarded()
        let url = server.url("/")
        let store = RecordingStore([url: .wrong()])
        let discovery = ScriptedDiscovery(.success(.alice))
        #expect(await session(store, discovery).0.outcome(of: url).status == 200)
        #expect(store.changes == [.delete(url), .store(.alice, url)])
        #expect(discovery.questions.events == [.init(url: url, failures: 1)])

        let typed = RecordingStore()
        let twice = ScriptedDiscovery(.success(.wrong()), .success(.alice))
        #expect(await session(typed, twice).0.outcome(of: url).status == 200)
        #expect(typed.changes == [.store(.alice, url)])
        #expect(twice.questions.events.map(\.failures) == [0, 1])
    }

    @Test func `4: giving up is the caller's error, beside the 401; the next request asks again`() async throws {
        let server = try TestServer.guarded()
        let store = RecordingStore()
        let discovery = ScriptedDiscovery(.failure(BasicCredentialDiscoveryError.cancelled), .success(.alice))
        let (session, _) = session(store, discovery)

        let cancelled = await session.outcome(of: server.url("/"))
        #expect(cancelled.error as? BasicCredentialDiscoveryError == .cancelled)
        #expect(cancelled.status == 401)
        #expect(cancelled.data == nil)
        #expect(store.changes.isEmpty)

        #expect(await session.outcome(of: server.url("/")).status == 200)
        #expect(discovery.questions.events.count == 2)
    }

    @Test func `5: the same wrong value again ends in the 401 after two requests; different ones after three prompts`() async throws {
        let server = try TestServer.guarded()
        let same = ScriptedDiscovery(.success(.wrong()))
        let outcome = await session(RecordingStore(), same).0.outcome(of: server.url("/"))
        #expect(outcome.status == 401)
        #expect(outcome.text == "who are you?")
        #expect(outcome.error == nil)
        #expect(server.requestCount == 2)

        let different = ScriptedDiscovery(.success(.wrong(1)), .success(.wrong(2)), .success(.wrong(3)), .success(.wrong(4)))
        let store = RecordingStore()
        #expect(await session(store, different).0.outcome(of: server.url("/")).status == 401)
        #expect(different.questions.events.map(\.failures) == [0, 1, 2])
        #expect(store.changes.isEmpty)
    }

    @Test func `6: twenty requests share one prompt, one store, one failure and one delete`() async throws {
        let server = try TestServer.guarded()
        let url = server.url("/")
        func outcomes(of session: SAPURLSession, _ gate: TestGate) async throws -> [Outcome] {
            let before = server.requestCount
            return try await withThrowingTaskGroup(of: Outcome.self) { group in
                for _ in 0..<20 { group.addTask { await session.outcome(of: url) } }
                try await server.waitForRequests(count: before + 20)
                gate.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        let gate = TestGate()
        let store = RecordingStore()
        let discovery = ScriptedDiscovery(.success(.alice), gate: gate)
        #expect(try await outcomes(of: session(store, discovery).0, gate).map(\.status) == Array(repeating: 200, count: 20))
        #expect(discovery.questions.events.count == 1)
        #expect(store.changes == [.store(.alice, url)])

        let second = TestGate()
        let cancelling = ScriptedDiscovery(.failure(BasicCredentialDiscoveryError.cancelled), gate: second)
        let errors = try await outcomes(of: session(RecordingStore(), cancelling).0, second).map {
            $0.error as? BasicCredentialDiscoveryError
        }
        #expect(errors == Array(repeating: .cancelled, count: 20))
        #expect(cancelling.questions.events.count == 1)

        let third = TestGate()
        let stale = RecordingStore([url: .wrong()])
        let replacing = ScriptedDiscovery(.success(.alice), gate: third)
        #expect(try await outcomes(of: session(stale, replacing).0, third).map(\.status) == Array(repeating: 200, count: 20))
        #expect(replacing.questions.events.count == 1)
        #expect(stale.changes == [.delete(url), .store(.alice, url)])
    }

    @Test func `7: a refusal of an old credential does not delete the new one that another task stored meanwhile`() async throws {
        let gate = TestGate()
        let server = try TestServer { request in
            switch request.authorization {
            case [RecordedRequest.basic("alice", "correct-horse")]: .ok
            case []: .challenge()
            default: .challenge().stalled(by: gate)
            }
        }
        let url = server.url("/")
        let store = RecordingStore([url: .wrong()])
        let discovery = ScriptedDiscovery(.success(.wrong(9)))
        let (session, _) = session(store, discovery)

        async let outcome = session.outcome(of: url)
        try await server.waitForRequests(count: 2)
        store.put(.alice, for: url)
        gate.open()

        #expect(await outcome.status == 200)
        #expect(store.changes.isEmpty)
        #expect(discovery.questions.events.isEmpty)
    }

    @Test(arguments: [403, 404]) func `8: a refusal of what is asked for still means that the user was recognised`(status: Int) async throws
    {
        let server = try TestServer.guarded(status: status)
        let store = RecordingStore()
        #expect(await session(store, ScriptedDiscovery(.success(.alice))).0.outcome(of: server.url("/")).status == status)
        #expect(store.changes == [.store(.alice, server.url("/"))])
    }

    @Test func `8: a server's failure decides nothing: not stored, not asked again`() async throws {
        let server = try TestServer.guarded(status: 500)
        let store = RecordingStore()
        let discovery = ScriptedDiscovery(.success(.alice))
        let (session, _) = session(store, discovery)
        #expect(await session.outcome(of: server.url("/")).status == 500)
        #expect(await session.outcome(of: server.url("/")).status == 500)
        #expect(store.changes.isEmpty)
        #expect(discovery.questions.events.count == 1)
    }

    @Test func `8: a connection that drops decides nothing`() async throws {
        let server = try TestServer { $0.authorization.isEmpty ? .challenge() : .reset }
        let store = RecordingStore()
        let outcome = await session(store, ScriptedDiscovery(.success(.alice))).0.outcome(of: server.url("/"))
        #expect(outcome.error is URLError)
        #expect(store.changes.isEmpty)
    }

    @Test func `9: a 401 that nobody answers arrives with its content at once`() async throws {
        let server = try TestServer { _ in .challenge() }
        let session = SAPURLSession()
        session.register(RecordingObserver("passing"))
        let start = ContinuousClock.now
        let outcome = await session.outcome(of: server.url("/"))
        #expect(outcome.status == 401)
        #expect(outcome.text == "who are you?")
        #expect(outcome.error == nil)
        #expect(ContinuousClock.now - start < .seconds(30))
    }
}
