// SPDX-License-Identifier: MIT

import Foundation
import ReactiveMoya
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestTests {
    private let provider = HeldProvider()

    @Test func `disposing of a start cancels its request once, and its observer sees exactly the interruption`() {
        let events = Recorded<String>()
        let handle = provider.reactive.request(.zen).start { events.add("\($0)") }

        handle.dispose()
        handle.dispose()
        provider.complete(.failure(.underlying(CancellationError(), nil)))

        #expect(provider.cancelled.all.count == 1)
        #expect(events.all == ["INTERRUPTED"])
    }

    @Test func `a start disposed of while its request is being made cancels that request once it is there`() {
        let events = Recorded<String>()

        provider.reactive.request(.zen).startWithSignal { signal, handle in
            signal.observe { events.add("\($0)") }
            provider.whileRequesting.add { handle.dispose() }
        }
        provider.complete(.success(Response(statusCode: 200, data: Data())))

        #expect(provider.cancelled.all.count == 1)
        #expect(events.all == ["INTERRUPTED"])
    }

    @Test func `a start that completed is not cancelled when its lifetime ends`() {
        let events = Recorded<String>()
        let handle = provider.reactive.request(.zen).start { events.add("\($0.isTerminating)") }

        provider.complete(.success(Response(statusCode: 200, data: Data())))
        handle.dispose()

        #expect(provider.cancelled.all.isEmpty)
        #expect(events.all == ["false", "true"])
    }

    @Test func `the request goes on when the value that start returned is dropped`() {
        let events = Recorded<Bool>()
        do { provider.reactive.request(.zen).start { events.add($0.isTerminating) } }

        #expect(provider.cancelled.all.isEmpty)
        provider.complete(.success(Response(statusCode: 200, data: Data())))

        #expect(events.all == [false, true])
    }

    @Test func `an operator that ends the stream early cancels the request`() {
        let scheduler = TestScheduler()
        let events = Recorded<String>()
        let timedOut = MoyaError.requestMapping("timed out")
        provider.reactive.request(.zen).timeout(after: 1, raising: timedOut, on: scheduler).start { event in
            events.add(event.error == nil ? "other" : "failed")
        }
        let takenUntil = Signal<(), Never>.pipe()
        provider.reactive.request(.zen).take(until: takenUntil.output.producer).start { events.add("\($0.isCompleted)") }

        scheduler.advance(by: .seconds(1))
        takenUntil.input.send(value: ())

        #expect(events.all == ["failed", "true"])
        #expect(provider.cancelled.all.count == 2)
    }

    @Test func `a response that is taken does not cancel the request that brought it`() {
        let values = Recorded<Int>()
        provider.reactive.request(.zen).take(first: 1).startWithResult { values.add((try? $0.get().statusCode) ?? 0) }

        provider.complete(.success(Response(statusCode: 200, data: Data())))

        #expect(values.all == [200])
        #expect(provider.cancelled.all.isEmpty)
    }

    @Test func `switching to another request cancels the one before`() {
        let (targets, input) = Signal<Int, Never>.pipe()
        let values = Recorded<Int>()
        let provider = provider
        targets.flatMap(.latest) { _ in provider.reactive.request(.zen) }.observeResult { values.add((try? $0.get().statusCode) ?? 0) }

        input.send(value: 1)
        input.send(value: 2)
        provider.complete(.success(Response(statusCode: 200, data: Data())))

        #expect(provider.cancelled.all.count == 1)
        #expect(values.all == [200])
    }

    @Test func `dropping a scoped disposable cancels the request`() {
        var scope: ScopedDisposable<AnyDisposable>? = ScopedDisposable(provider.reactive.request(.zen).start())
        withExtendedLifetime(scope) {}
        #expect(provider.cancelled.all.isEmpty)

        scope = nil

        #expect(provider.cancelled.all.count == 1)
    }

    @Test func `a start without its provider is interrupted at once`() {
        var provider: HeldProvider? = HeldProvider()
        let producer = provider.map { $0.reactive.request(.zen) }
        let withProgress = provider.map { $0.reactive.requestWithProgress(.zen) }
        provider = nil
        let events = Recorded<String>()

        producer?.start { events.add("\($0)") }
        withProgress?.start { events.add("\($0)") }

        #expect(events.all == ["INTERRUPTED", "INTERRUPTED"])
    }

    @Test func `the callback queue goes to the provider as it is`() {
        let queue = DispatchQueue(label: "callbacks")

        provider.reactive.request(.zen, callbackQueue: queue).start()
        provider.reactive.requestWithProgress(.zen).start()

        #expect(provider.queues.all.map { $0 === queue } == [true, false])
        #expect(provider.queues.all.last.map { $0 == nil } == true)
    }

    @Test func `each value keeps the latest progress and response, and one more has the response that none had`() {
        let half = Progress(totalUnitCount: 2)
        half.completedUnitCount = 1
        let response = Response(statusCode: 200, data: Data())
        let steps = Recorded<ProgressResponse>()
        provider.reactive.requestWithProgress(.zen).startWithResult { if case .success(let step) = $0 { steps.add(step) } }

        provider.report(ProgressResponse(progress: half))
        provider.report(ProgressResponse())
        provider.complete(.success(response))

        #expect(steps.all.map { $0.progressObject === half } == [true, true, true])
        #expect(steps.all.map { $0.response === response } == [false, false, true])
    }

    @Test func `a response that was reported is not sent again`() {
        let response = Response(statusCode: 200, data: Data())
        let events = Recorded<String>()
        provider.reactive.requestWithProgress(.zen).start { events.add($0.isCompleted ? "completed" : "\($0.value?.completed == true)") }

        provider.report(ProgressResponse(response: response))
        provider.complete(.success(response))

        #expect(events.all == ["true", "completed"])
    }

    @Test func `observers and callbacks are released after the end`() {
        weak var released: Recorded<Int>?
        do {
            let captured = Recorded<Int>()
            released = captured
            let handle = provider.reactive.request(.zen).map { $0.statusCode }.startWithResult { result in
                captured.add((try? result.get()) ?? 0)
            }
            provider.complete(.success(Response(statusCode: 200, data: Data())))
            withExtendedLifetime(handle) { #expect(captured.all == [200]) }
        }

        #expect(released == nil)
    }

    @Test func `work after observe(on:) leaves the callback queue`() {
        let key = DispatchSpecificKey<String>()
        let callbacks = DispatchQueue(label: "callbacks")
        callbacks.setSpecific(key: key, value: "callbacks")
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        let places = Recorded<String?>()

        let result = provider.reactive.request(.zen, callbackQueue: callbacks)
            .on(value: { _ in places.add(DispatchQueue.getSpecific(key: key)) })
            .observe(on: QueueScheduler(qos: .utility))
            .on(value: { _ in places.add(DispatchQueue.getSpecific(key: key)) })
            .wait()

        #expect((try? result.get()) != nil)
        #expect(places.all == ["callbacks", nil])
    }
}

/// A provider of the test's own, whose requests end when the test says so.
final class HeldProvider: MoyaProviderType, ReactiveExtensionsProvider, @unchecked Sendable {  // the recorders have their locks
    let cancelled = Recorded<Bool>()
    let queues = Recorded<DispatchQueue?>()
    /// Runs inside `request`.
    let whileRequesting = Recorded<() -> Void>()
    private let held = Recorded<(progress: ProgressBlock?, completion: Completion)>()

    func request(
        _ target: GitHub, callbackQueue: DispatchQueue?, progress: ProgressBlock?, completion: @escaping Completion
    ) -> any Moya.Cancellable {
        queues.add(callbackQueue)
        held.add((progress, completion))
        for action in whileRequesting.removeAll() { action() }
        let cancelled = cancelled
        return CancellableToken { cancelled.add(true) }
    }

    func complete(_ result: Result<Response, MoyaError>) {
        let all = held.removeAll()
        for request in all { request.completion(result) }
    }

    func report(_ step: ProgressResponse) {
        for request in held.all { request.progress?(step) }
    }
}
