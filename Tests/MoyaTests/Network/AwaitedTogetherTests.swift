// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Testing

@testable import Moya

/// What one task that waits must not do to others, and what must not outlive its waiting.
@Suite(.timeLimit(.minutes(1))) struct AwaitedTogetherTests {
    private nonisolated(nonsending) static func summary(of target: AnyTarget, by provider: MoyaProvider<AnyTarget>) async -> String {
        do throws(MoyaError) {
            return Result<Response, MoyaError>.success(try await provider.request(target)).summary
        } catch {
            return error.summary
        }
    }

    private final class QueueExecutor: SerialExecutor {
        private let queue = DispatchQueue(label: "openmoya.tests.busy")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    /// An actor on a thread of its own, which may be blocked.
    private actor Busy {
        private let executor = QueueExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func summary(of target: AnyTarget, by provider: MoyaProvider<AnyTarget>) async -> String {
            await AwaitedTogetherTests.summary(of: target, by: provider)
        }

        func enter() {}

        /// Lets nobody else in until `end` is signalled; false if that does not happen.
        func block(until end: DispatchSemaphore, _ begun: @Sendable () -> Void) -> Bool {
            begun()
            return end.wait(timeout: .now() + 10) == .success
        }
    }

    @Test func `who shares a request gets its outcome while the actor of the first who waits is busy`() async throws {
        let gate = TestGate()
        let server = try TestServer { _ in .ok("x").stalled(by: gate) }
        let provider = MoyaProvider<AnyTarget>(trackInflights: true)
        let busy = Busy()

        let first = _Concurrency.Task { await busy.summary(of: .on(server), by: provider) }
        try await gate.waitForWaiters()
        let second = Outcome()
        let end = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "openmoya.tests.second")
        provider.request(.on(server), callbackQueue: queue) { result in
            second.take(result)
            end.signal()
        }
        // The actor waits for what the second one gets.
        let blocking = _Concurrency.Task { await busy.block(until: end) { gate.open() } }
        #expect(await blocking.value)

        #expect(second.only?.summary == "200 x")
        #expect(await first.value == "200 x")
    }

    /// Begins a task that goes on long after the request.
    private final class Spawning: MoyaProvider<AnyTarget>, @unchecked Sendable {  // constants
        let gate = TestGate()
        let spawned = Locked<_Concurrency.Task<Void, any Error>?>(nil)

        override func request(
            _ target: AnyTarget, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
        ) -> any Cancellable {
            spawned.withLock { [gate] in $0 = _Concurrency.Task { try await gate.pass() } }
            return super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        }
    }

    private final class WeakResponse: Sendable {
        private let kept = Locked(Reference())
        private struct Reference { weak var response: Response? }

        func keep(_ response: Response) { kept.withLock { $0.response = response } }
        var isGone: Bool { kept.withLock { $0.response == nil } }
    }

    @Test func `a response is let go of although a task that was begun with its request goes on`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let provider = Spawning()
        let weak = WeakResponse()

        weak.keep(try await provider.request(.on(server)))

        #expect(weak.isGone)
        provider.gate.open()
        try await provider.spawned.withLock({ $0 })?.value
    }

    /// Counts how often it is asked to cancel.
    private final class CountingCancellable: Cancellable, Sendable {
        let count: Locked<Int>
        private let request: Carried<any Cancellable>

        init(_ request: any Cancellable, _ count: Locked<Int>) {
            self.request = Carried(request)
            self.count = count
        }

        var isCancelled: Bool { request.value.isCancelled }

        func cancel() {
            count.withLock { $0 += 1 }
            request.value.cancel()
        }
    }

    private final class Counting: MoyaProvider<AnyTarget>, @unchecked Sendable {  // constants
        let count = Locked(0)

        override func request(
            _ target: AnyTarget, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
        ) -> any Cancellable {
            CountingCancellable(
                super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion), count)
        }
    }

    /// Takes its time with results, so that the task has something to wait for after its work.
    private struct SlowPlugin: AsyncPluginType {
        let gate: TestGate

        func processing(_ result: Result<Response, MoyaError>, target: any TargetType) async -> Result<Response, MoyaError> {
            try? await gate.pass()
            return result
        }
    }

    @Test func `a request is cancelled once, however often its task goes on to wait`() async throws {
        let stall = TestGate()
        let slow = TestGate()
        let server = try TestServer { _ in .ok("x").stalled(by: stall) }
        let provider = Counting(plugins: [SlowPlugin(gate: slow)])

        let task = _Concurrency.Task { await Self.summary(of: .on(server), by: provider) }
        try await stall.waitForWaiters()
        task.cancel()
        // The cancelled attempt has been concluded, and the task waits once more.
        try await slow.waitForWaiters()
        slow.open()

        #expect(await task.value == "underlying: explicitlyCancelled")
        #expect(provider.count.withLock { $0 } == 1)
        stall.open()
    }

    /// Cancels itself when nobody holds it any more.
    private final class CancelledWhenLeft: Cancellable, Sendable {
        private let action: Carried<() -> Void>
        init(_ action: @escaping () -> Void) { self.action = Carried(action) }
        deinit { action.value() }
        var isCancelled: Bool { false }
        func cancel() { action.value() }
    }

    /// Answers from elsewhere, and once more when the token is let go of.
    private final class AnsweringTwice: MoyaProvider<AnyTarget>, @unchecked Sendable {  // constants
        let gate = TestGate()

        override func request(
            _ target: AnyTarget, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
        ) -> any Cancellable {
            let completion = Carried(completion)
            _Concurrency.Task { [gate] in
                try await gate.pass()
                completion.value(.success(Response(statusCode: 200, data: Data())))
            }
            return CancelledWhenLeft { completion.value(.failure(.requestMapping("left"))) }
        }
    }

    @Test func `a token that calls back when it is let go of does no harm`() async throws {
        let provider = AnsweringTwice()
        let busy = Busy()

        let task = _Concurrency.Task { await busy.summary(of: AnyTarget(), by: provider) }
        try await provider.gate.waitForWaiters()
        // The actor lets the test in when the task has begun to wait, and has the token.
        await busy.enter()
        provider.gate.open()

        #expect(await task.value == "200 ")
    }

    /// Blocks until it is told that its request was cancelled.
    private struct Stubborn: RequestRetrier {
        let asked: TestGate
        let cancelled = DispatchSemaphore(value: 0)

        func retry(_ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void)
        {
            asked.open()
            // Bounded, so that a cancelling that does not come fails the test.
            let came = cancelled.wait(timeout: .now() + 10) == .success
            completion(came ? .retry : .doNotRetryWithError(CancellationError()))
        }
    }

    private final class CancelMonitor: EventMonitor {
        let action: @Sendable () -> Void
        init(_ action: @escaping @Sendable () -> Void) { self.action = action }
        var queue: DispatchQueue { DispatchQueue(label: "openmoya.tests.monitor") }
        func requestDidCancel(_ request: Request) { action() }
    }

    @Test func `cancelling reaches the request while its task is at work for it`() async throws {
        let server = try TestServer { _ in .status(500, "x") }
        let asked = TestGate()
        let retrier = Stubborn(asked: asked)
        let session = Session(
            configuration: URLSessionConfiguration.af.ephemeral, startRequestsImmediately: false,
            interceptor: Interceptor(retriers: [retrier]),
            eventMonitors: [CancelMonitor { retrier.cancelled.signal() }])
        let provider = MoyaProvider<AnyTarget>(session: session)

        let busy = Busy()

        let task = _Concurrency.Task { await busy.summary(of: .on(server, validation: .successCodes), by: provider) }
        try await asked.pass()
        task.cancel()

        // The error that the retrier was asked about stays.
        #expect(await task.value == "underlying: unacceptableStatusCode 500 with 500")
    }

    @Test func `an eager session's requests may fail while they are made, and end once each`() async throws {
        let server = try TestServer { _ in .ok("x") }
        let session = Session(
            configuration: URLSessionConfiguration.af.ephemeral, startRequestsImmediately: false, requestSetup: .eager)
        let provider = MoyaProvider<AnyTarget>(session: session)
        // The transport refuses content with HEAD as soon as it has the request.
        let refused = { @Sendable in AnyTarget.on(server, method: .head, task: .requestData(Data("x".utf8))) }

        let summaries = await withTaskGroup(of: String.self) { group in
            for index in 0..<200 {
                group.addTask { await Self.summary(of: index % 2 == 0 ? refused() : .on(server), by: provider) }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }

        #expect(summaries.count == 2 && summaries["200 x"] == 100, "\(summaries)")
    }

    /// Retries once.
    private struct Once: RequestRetrier {
        func retry(_ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void)
        {
            let answer = request.retryCount == 0 ? RetryResult.retry : .doNotRetry
            if request.cURLDescription().isEmpty { completion(answer) } else { DispatchQueue.global().async { completion(answer) } }
        }
    }

    @Test(arguments: [false, true])
    func `requests that are retried and cancelled at any moment end once each, whoever waits`(tracks: Bool) async throws {
        let counter = Locked(0)
        let server = try TestServer { _ in
            let number = counter.withLock { counter in
                counter += 1
                return counter
            }
            return number % 2 == 0 ? .ok("x") : .status(500, "x")
        }
        let session = Session(
            configuration: URLSessionConfiguration.af.ephemeral, startRequestsImmediately: false,
            interceptor: Interceptor(retriers: [Once()]))
        let open = TestGate(isOpen: true)
        let provider = Counting(session: session, plugins: [SlowPlugin(gate: open)], trackInflights: tracks)
        let actors = (0..<3).map { _ in Busy() }

        let summaries = await withTaskGroup(of: String.self) { group in
            for index in 0..<600 {
                group.addTask(priority: index % 3 == 0 ? .low : .high) {
                    let target = { @Sendable in AnyTarget.on(server, "/\(index % 10)", validation: .successCodes) }
                    let task = _Concurrency.Task {
                        switch index % 5 {
                        case 0: await Self.summary(of: target(), by: provider)
                        case 1: await Self.mainSummary(of: target(), by: provider)
                        default: await actors[index % 3].summary(of: target(), by: provider)
                        }
                    }
                    for _ in 0..<(index % 40) { await _Concurrency.Task.yield() }
                    if index % 4 != 0 { task.cancel() }
                    return await task.value
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }

        #expect(summaries.values.reduce(0, +) == 600)
        #expect(summaries["200 x", default: 0] > 0)
        let known: Set = [
            "200 x", "underlying: explicitlyCancelled", "underlying: explicitlyCancelled with 200",
            "underlying: explicitlyCancelled with 500",
            "underlying: unacceptableStatusCode 500 with 500",
        ]
        #expect(Set(summaries.keys).isSubset(of: known), "\(summaries)")
        await provider.waitUntilNothingIsInFlight()
    }

    @MainActor private static func mainSummary(of target: AnyTarget, by provider: MoyaProvider<AnyTarget>) async -> String {
        await summary(of: target, by: provider)
    }
}
