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

/// Very many requests from both forms of a provider, some of them cancelled at random moments.
///
/// The memory that it watches is the process's: run it by itself, `--filter ManyRequestsTests`.
@Suite(.enabled(if: Stress.isEnabled, "runs where OPENMOYA_STRESS is set"), .serialized, .timeLimit(.minutes(30)))
struct ManyRequestsTests {
    private static let inFlight = 64

    /// All but the one that Dispatch makes for its timers, whenever the first of them is set.
    private static let descriptors = LeakCounter("file descriptors") {
        OpenDescriptor.all().count { !$0.description.contains("timerfd") }
    }

    private enum Ending { case response, cancelled, wrong(String) }

    /// Sends one request, in one of the two forms, and cancels it at a random moment if it is one of those.
    private nonisolated(nonsending) func send(
        _ number: Int, with provider: MoyaProvider<NumberTarget>, to url: URL, seed: UInt64, tally: Tally
    ) async -> Ending {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        let target = NumberTarget(baseURL: url, number: number, isUpload: number % 7 == 0)
        let isCancelled = Int.random(in: 0..<10, using: &random) == 0
        let patience = Int.random(in: 0..<60, using: &random)
        let result: Result<Moya.Response, MoyaError>
        if Bool.random(using: &random) {
            let request = _Concurrency.Task { () -> Result<Moya.Response, MoyaError> in
                do throws(MoyaError) { return .success(try await provider.request(target)) } catch { return .failure(error) }
            }
            if isCancelled {
                for _ in 0..<patience { await _Concurrency.Task.yield() }
                request.cancel()
            }
            result = await request.value
            tally.count(number)
        } else {
            result = await awaitingCallback(onCancel: {}) { callback in
                // A second call is counted, but not passed on.
                let isFirst = Atomic<Bool>.Box(true)
                let request = provider.request(target) { result in
                    tally.count(number)
                    if isFirst.value.exchange(false, ordering: .acquiringAndReleasing) { callback(result) }
                }
                guard isCancelled else { return }
                let carried = Carried(request)
                DispatchQueue.global().async {
                    for _ in 0..<patience * 20 { _ = carried.value.isCancelled }
                    carried.value.cancel()
                }
            }
        }
        switch result {
        case .success(let response):
            let content = String(decoding: response.data, as: UTF8.self)
            return content == "\(number)" ? .response : .wrong("\(number) got \(content)")
        case .failure(let error):
            return isCancelled && error.isCancelling ? .cancelled : .wrong("\(number) failed: \(error)")
        }
    }

    @Test func `very many requests complete once each, and leave nothing behind`() async throws {
        let count = Stress.requestCount
        let seed = Stress.seed
        let server = try TestServer(.init { $0.recordsRequests = false }) { .ok(String($0.path.dropFirst())) }
        let tally = Tally(count)
        let memory = MemoryLine()
        let endings = Locked((responses: 0, cancelled: 0, wrong: [String]()))
        let next = Atomic<Int>.Box(0)
        // What belongs to the process is made by the first request.
        _ = await Session(configuration: URLSessionConfiguration.af.ephemeral).request(server.url("/0")).serializingData().response
        let start = ContinuousClock.now

        try await withLeakCheck([.connections(to: server), Self.descriptors]) {
            let configuration = URLSessionConfiguration.af.ephemeral
            configuration.httpMaximumConnectionsPerHost = Self.inFlight
            let session = Session(configuration: configuration, startRequestsImmediately: false)
            let provider = MoyaProvider<NumberTarget>(
                callbackQueue: DispatchQueue(label: "stress", attributes: .concurrent), session: session)
            let transport = try #require(session.transport as? CurlTransport)

            try await withLeakCheck([
                LeakCounter("live transfers") { transport.statistics.liveTransfers },
                LeakCounter("easy handles in use") { transport.statistics.handlesInUse },
                LeakCounter("requests of the session") { session.activeCount },
            ]) {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<Self.inFlight {
                        group.addTask {
                            while true {
                                let number = next.value.wrappingAdd(1, ordering: .relaxed).oldValue
                                guard number < count else { return }
                                let ending = await send(number, with: provider, to: server.baseURL, seed: seed, tally: tally)
                                endings.withLock { endings in
                                    switch ending {
                                    case .response: endings.responses += 1
                                    case .cancelled: endings.cancelled += 1
                                    case .wrong(let what): endings.wrong.append(what)
                                    }
                                }
                                if number % 250 == 0 { memory.sample(done: number) }
                            }
                        }
                    }
                }
            }
            print("connections opened: \(transport.statistics.connectionsOpened)")
        }

        let (responses, cancelled, wrong) = endings.withLock { $0 }
        let window = min(10_000, count / 5)
        let first = memory.mean(window / 5..<window)
        let last = memory.mean(count - window..<count)
        print(
            "\(count) requests in \(ContinuousClock.now - start), seed \(seed): \(responses) responses, \(cancelled) cancelled; "
                + "resident \(first) KiB in the first \(window), \(last) KiB in the last, peak \(ProcessMemory.now.peak) KiB")
        #expect(wrong.isEmpty, "\(wrong.prefix(10)) with seed \(seed)")
        #expect(tally.wrong.isEmpty, "did not complete exactly once: \(tally.wrong.prefix(10)), seed \(seed)")
        #expect(responses + cancelled == count)
        #expect(last < first + first / 10 + 4_096, "memory grew from \(first) to \(last) KiB")
    }
}

extension MoyaError {
    /// Whether it says that the request was cancelled, sent or not.
    var isCancelling: Bool {
        guard case .underlying(let error, _) = self else { return false }
        return (error as? AFError)?.isExplicitlyCancelledError == true || (error as NSError).code == NSURLErrorCancelled
    }
}

/// Takes a value that is safe to use from another thread there, where its type does not say so.
struct Carried<Value>: @unchecked Sendable {  // cancelling is safe from any thread
    let value: Value
    init(_ value: Value) { self.value = value }
}

extension Atomic where Value: Sendable {
    /// An atomic value that closures share.
    final class Box: Sendable {
        let value: Atomic<Value>
        init(_ value: consuming Value) { self.value = Atomic(value) }
    }
}
#endif
