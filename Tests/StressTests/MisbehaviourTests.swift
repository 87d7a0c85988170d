// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import CurlEngine
import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Synchronization
import Testing

/// Everything at once: a server that breaks off wherever chance has it, retries, shared requests, requests that are suspended, resumed and
/// cancelled, and sessions that are let go of.
@Suite(.enabled(if: Stress.isEnabled, "runs where OPENMOYA_STRESS is set"), .serialized, .timeLimit(.minutes(20)))
struct MisbehaviourTests {
    private let seed = Stress.seed

    private func misbehavingServer() throws -> TestServer {
        let seed = seed
        return try TestServer(
            .init { configuration in
                configuration.recordsRequests = false
                configuration.answersHead = { request in
                    guard request.path != "/elsewhere" else { return nil }
                    var random = SeededGenerator(seed: seed ^ UInt64(request.number))
                    return .misbehaving(using: &random)
                }
            }
        ) { _ in .ok("elsewhere") }
    }

    private func session(retries: Int) -> Session {
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.httpMaximumConnectionsPerHost = 32
        configuration.timeoutIntervalForRequest = 20
        return Session(
            configuration: configuration, startRequestsImmediately: false,
            interceptor: Interceptor(
                adaptHandler: { request, _, completion in completion(.success(request)) },
                retryHandler: { request, _, _, completion in
                    switch request.retryCount {
                    case 0 where retries > 0: completion(.retry)
                    case 1 where retries > 1: completion(.retryWithDelay(0.001))
                    default: completion(.doNotRetry)
                    }
                }))
    }

    /// Suspends and resumes what is under way, in quick turns, until it is told to stop; what it suspended is resumed then.
    private func shake(_ session: Session, until isOver: Atomic<Bool>.Box, random: SeededGenerator) async {
        let random = Locked(random)
        while !isOver.value.load(ordering: .acquiring) {
            _ = await awaitingCallback(onCancel: {}) { (callback: @escaping @Sendable (Bool) -> Void) in
                session.withAllRequests { requests in
                    for request in requests {
                        let turns = random.withLock { Int.random(in: -20...3, using: &$0) }
                        guard turns > 0 else { continue }
                        for _ in 0..<turns {
                            request.suspend()
                            request.resume()
                        }
                    }
                    callback(true)
                }
            }
            await _Concurrency.Task.yield()
        }
    }

    private func expectNothingLeft(
        of session: Session, and server: TestServer, _ body: () async throws -> Void
    ) async throws {
        let transport = try #require(session.transport as? CurlTransport)
        try await withLeakCheck([
            LeakCounter("live transfers") { transport.statistics.liveTransfers },
            LeakCounter("easy handles in use") { transport.statistics.handlesInUse },
            LeakCounter("requests of the session") { session.activeCount },
        ]) { try await body() }
    }

    @Test(arguments: [false, true])
    func `requests to a server that misbehaves complete once each`(isTracking: Bool) async throws {
        let count = Stress.shortCount
        let server = try misbehavingServer()
        let tally = Tally(count)
        let next = Atomic<Int>.Box(0)
        let isOver = Atomic<Bool>.Box(false)
        let kinds = Locked<[String: Int]>([:])
        try await withLeakCheck([.connections(to: server)]) {
            let session = session(retries: 2)
            let provider = MoyaProvider<NumberTarget>(
                callbackQueue: DispatchQueue(label: "stress", attributes: .concurrent), session: session, trackInflights: isTracking)
            try await expectNothingLeft(of: session, and: server) {
                let shaker = _Concurrency.Task { await shake(session, until: isOver, random: SeededGenerator(seed: seed)) }
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<64 {
                        group.addTask {
                            while true {
                                let number = next.value.wrappingAdd(1, ordering: .relaxed).oldValue
                                guard number < count else { return }
                                let kind = await send(number, with: provider, to: server.baseURL, isTracking: isTracking, tally: tally)
                                kinds.withLock { $0[kind, default: 0] += 1 }
                            }
                        }
                    }
                }
                isOver.value.store(true, ordering: .releasing)
                await shaker.value
            }
            #expect(provider.inflightRequests.isEmpty)
        }

        #expect(tally.wrong.isEmpty, "did not complete exactly once: \(tally.wrong.prefix(10)), seed \(seed)")
        let outcomes = kinds.withLock { $0 }
        print("\(count) requests to a server that misbehaves, seed \(seed): \(outcomes.sorted { $0.value > $1.value })")
        // Whatever goes wrong has a kind of its own.
        #expect(outcomes["other"] == nil, "seed \(seed)")
    }

    /// Returns what became of it: `response`, or the kind of the error.
    private nonisolated(nonsending) func send(
        _ number: Int, with provider: MoyaProvider<NumberTarget>, to url: URL, isTracking: Bool, tally: Tally
    ) async -> String {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        // Where requests are shared, some must be equal at the same time.
        let target = NumberTarget(baseURL: url, number: isTracking ? number / 4 : number, isUpload: !isTracking && number % 3 == 0)
        let cancels = Int.random(in: 0..<8, using: &random) == 0
        let patience = Int.random(in: 0..<1_500, using: &random)
        let result = await awaitingCallback(onCancel: {}) { callback in
            let isFirst = Atomic<Bool>.Box(true)
            let request = provider.request(target) { result in
                tally.count(number)
                if isFirst.value.exchange(false, ordering: .acquiringAndReleasing) { callback(result) }
            }
            guard cancels else { return }
            let carried = Carried(request)
            DispatchQueue.global().async {
                for _ in 0..<patience { _ = carried.value.isCancelled }
                carried.value.cancel()
            }
        }
        switch result {
        case .success: return "response"
        case .failure(.underlying(let error, _)):
            guard let error = error as? AFError else { return "cancelled unsent" }
            if case .responseValidationFailed = error { return "not accepted" }
            return error.isExplicitlyCancelledError ? "cancelled" : (error.httpError?.kind.rawValue ?? "\(error)")
        case .failure(let error): return "\(error)"
        }
    }

    @Test func `requests of sessions that are let go of end once each`() async throws {
        let server = try misbehavingServer()
        let sessions = Stress.shortCount / 30
        let tally = Tally(sessions * 20)
        let ended = EventRecorder<Void>()
        var random = SeededGenerator(seed: seed)

        try await withLeakCheck([.connections(to: server)]) {
            for round in 0..<sessions {
                var session: Session? = session(retries: 1)
                for number in 0..<20 {
                    session?.request(server.url("/\(number)")).response(queue: .global()) { _ in
                        tally.count(round * 20 + number)
                        ended.record(())
                    }.resume()
                }
                for _ in 0..<Int.random(in: 0..<40, using: &random) { await _Concurrency.Task.yield() }
                session = nil
            }
            _ = try await ended.wait(for: sessions * 20)
        }

        #expect(tally.wrong.isEmpty, "did not complete exactly once: \(tally.wrong.prefix(10)), seed \(seed)")
    }

    @Test func `content that is held and let go in quick turns arrives whole`() async throws {
        let server = try TestServer(.init { $0.recordsRequests = false }) { request in
            switch request.number % 3 {
            case 0: .ok(Data(repeating: 120, count: 1_500_000))
            case 1: .chunked((0..<200).map { _ in ScriptedResponse.Chunk(Data(repeating: 120, count: 7_500)) })
            default: .ok(Data(repeating: 120, count: 1_500_000), fields: ["X-Echo": "\(request.bodyByteCount)"])
            }
        }
        let count = max(60, Stress.shortCount / 10)
        let isOver = Atomic<Bool>.Box(false)
        let session = session(retries: 0)
        let shakers = (0..<3).map { number in
            _Concurrency.Task { await shake(session, until: isOver, random: SeededGenerator(seed: seed &+ UInt64(number))) }
        }
        let bad = Locked<[String]>([])
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<16 {
                group.addTask {
                    for number in 0..<count / 16 {
                        let body = Data(repeating: 121, count: (worker + number) % 2 == 0 ? 0 : 400_000)
                        let request =
                            body.isEmpty ? session.request(server.url("/")) : session.upload(body, to: server.url("/")) as DataRequest
                        let response = await request.resume().serializingData().response
                        if let error = response.error {
                            bad.withLock { $0.append("\(error)") }
                        } else if response.data?.count != 1_500_000 {
                            bad.withLock { $0.append("\(response.data?.count ?? 0) bytes") }
                        }
                    }
                }
            }
        }
        isOver.value.store(true, ordering: .releasing)
        for shaker in shakers { await shaker.value }
        let wrong = bad.withLock { $0 }
        #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(3)), seed \(seed)")
    }
}
#endif
