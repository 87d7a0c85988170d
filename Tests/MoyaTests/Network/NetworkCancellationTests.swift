// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

@Suite(.timeLimit(.minutes(1))) struct NetworkCancellationTests {
    private let journal = Journal()

    private struct NeverAsked: RequestInterceptor {
        let journal: Journal
        func retry(
            _ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void
        ) {
            journal.note("retry?")
            completion(.doNotRetry)
        }
    }

    private func makeProvider(tracks: Bool = false) -> MoyaProvider<AnyTarget> {
        MoyaProvider(
            session: Session(startRequestsImmediately: false, interceptor: NeverAsked(journal: journal)),
            plugins: [RecordingPlugin(name: "A", journal: journal)], trackInflights: tracks)
    }

    @Test func `a request cancelled at once is told exactly once`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        defer { gate.open() }
        let provider = makeProvider()

        let result = await provider.result(of: .on(server), cancelledBy: true)

        #expect(result.summary == "underlying: explicitlyCancelled")
        #expect(journal.entries.suffix(2) == ["A didReceive underlying: explicitlyCancelled", "A process underlying: explicitlyCancelled"])
        #expect(!journal.entries.contains("retry?"))
    }

    @Test(arguments: [ExchangePhase.responseStart, .responseHeadEnd])
    func `a request cancelled in flight ends with the one error, and its connection goes`(phase: ExchangePhase) async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("0123456789").stalled(by: gate, at: phase) }
        defer { gate.open() }
        let provider = makeProvider()
        let outcome = EventRecorder<String>()

        let request = provider.request(.on(server)) { outcome.record($0.summary) }
        try await gate.waitForWaiters()
        request.cancel()

        let summaries = try await outcome.wait(for: 1)
        #expect(summaries.first?.hasPrefix("underlying: explicitlyCancelled") == true, "\(summaries)")
        #expect(request.isCancelled)
        #expect(!journal.entries.contains("retry?"))
        try await server.waitForOpenConnections(atMost: 0)
        #expect(outcome.events.count == 1)
    }

    @Test func `cancelling the Swift task cancels the transfer`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok.stalled(by: gate) }
        defer { gate.open() }
        let provider = makeProvider()

        let task = _Concurrency.Task {
            await Result(catching: { () async throws(MoyaError) in try await provider.request(.on(server)) }).summary
        }
        try await gate.waitForWaiters()
        task.cancel()

        #expect(await task.value == "underlying: explicitlyCancelled")
        try await server.waitForOpenConnections(atMost: 0)
    }

    @Test func `cancelling after the end does nothing`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let provider = makeProvider()
        let outcome = EventRecorder<String>()

        let request = provider.request(.on(server)) { outcome.record($0.summary) }
        _ = try await outcome.wait(for: 1)
        request.cancel()

        #expect(try await provider.request(.on(server)).statusCode == 200)
        #expect(outcome.events == ["200 xA"])
    }

    @Test func `a request cancelled while an asynchronous plugin prepares it cancels the plugin`() async throws {
        struct Waiting: AsyncPluginType {
            let gate: TestGate
            let cancelled: EventRecorder<String>
            func preparing(_ request: URLRequest, target: any TargetType) async throws -> URLRequest {
                do {
                    try await gate.pass()
                } catch {
                    cancelled.record("\(error)")
                    throw error
                }
                return request
            }
        }
        let server = try TestServer { _ in .ok }
        let plugin = Waiting(gate: TestGate(), cancelled: EventRecorder())
        let provider = MoyaProvider<AnyTarget>(plugins: [plugin])
        let outcome = EventRecorder<String>()

        let request = provider.request(.on(server)) { outcome.record($0.summary) }
        try await plugin.gate.waitForWaiters()
        request.cancel()

        #expect(try await outcome.wait(for: 1) == ["underlying: explicitlyCancelled"])
        #expect(try await plugin.cancelled.wait(for: 1) == ["CancellationError()"])
        #expect(server.connectionCount == 0)
    }

    // MARK: Shared requests

    @Test func `equal requests share one transfer, and a waiter that cancels leaves it to the others`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("x").stalled(by: gate) }
        let provider = makeProvider(tracks: true)
        let outcomes = (0..<3).map { _ in EventRecorder<String>() }

        let requests = outcomes.map { outcome in provider.request(.on(server)) { outcome.record($0.summary) } }
        try await gate.waitForWaiters()
        requests[0].cancel()
        #expect(try await outcomes[0].wait(for: 1) == ["underlying: explicitlyCancelled"])
        #expect(outcomes[1].events.isEmpty)
        gate.open()

        #expect(try await outcomes[1].wait(for: 1) == ["200 xA"])
        #expect(try await outcomes[2].wait(for: 1) == ["200 xA"])
        #expect(server.requestCount == 1)
        #expect(journal.entries.filter { $0.contains("didReceive") }.count == 1)
        await provider.waitUntilNothingIsInFlight()
    }

    @Test func `when every waiter has cancelled, so is the transfer`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("x").stalled(by: gate) }
        defer { gate.open() }
        let provider = makeProvider(tracks: true)
        let outcomes = (0..<3).map { _ in EventRecorder<String>() }

        let requests = outcomes.map { outcome in provider.request(.on(server)) { outcome.record($0.summary) } }
        try await gate.waitForWaiters()
        for request in requests { request.cancel() }

        for outcome in outcomes { #expect(try await outcome.wait(for: 1) == ["underlying: explicitlyCancelled"]) }
        try await server.waitForOpenConnections(atMost: 0)
        await provider.waitUntilNothingIsInFlight()
    }

    @Test(arguments: Seeds.kept + Seeds.fresh(count: 2))
    func `requests cancelled at any moment complete once each`(seed: UInt64) async throws {
        let server = try TestServer(TestServer.Configuration { $0.recordsRequests = false }) { _ in .ok("x") }
        let provider = makeProvider(tracks: seed % 2 == 0)
        let counts = Locked([Int](repeating: 0, count: 300))
        let outcomes = EventRecorder<Int>()

        await withTaskGroup(of: Void.self) { group in
            for index in 0..<300 {
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(index))
                    let request = provider.request(.on(server, "/\(Int.random(in: 0..<20, using: &random))")) { _ in
                        counts.withLock { $0[index] += 1 }
                        outcomes.record(index)
                    }
                    for _ in 0..<Int.random(in: 0..<20, using: &random) { await _Concurrency.Task.yield() }
                    if Int.random(in: 0..<3, using: &random) == 0 { request.cancel() }
                }
            }
        }
        _ = try await outcomes.wait(for: 300)

        #expect(counts.withLock { $0 } == [Int](repeating: 1, count: 300))
        await provider.waitUntilNothingIsInFlight()
    }
}
