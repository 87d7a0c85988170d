// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPTesting
import Moya
import Testing

/// Equal requests that are sent once; held by their request closure, and answered by stubs.
@Suite(.timeLimit(.minutes(1))) struct TrackingTests {
    private let held = HeldRequests()
    private let journal = Journal()

    private func makeProvider(tracks: Bool = true) -> MoyaProvider<Zoo> {
        MoyaProvider(
            requestClosure: held.closure, stubClosure: MoyaProvider.immediatelyStub,
            plugins: [RecordingPlugin(name: "A", journal: journal)],
            trackInflights: tracks)
    }

    @Test func `equal requests are sent once, and each completion gets the processed result in order`() {
        let provider = makeProvider()

        for number in 1...3 {
            provider.request(.login(name: "n")) { result in
                journal.note("\(number): \(result.summary), \(provider.inflightRequests.count) in flight")
            }
        }
        #expect(held.count == 1)
        #expect(provider.inflightRequests.values.map(\.count) == [3])
        held.answerAll()

        #expect(
            journal.entries == [
                "A prepare", "A willSend A", "A didReceive 200 ",
                "A process 200 ", "1: 200 A, 1 in flight", "A process 200 ", "2: 200 A, 1 in flight", "A process 200 ",
                "3: 200 A, 1 in flight",
            ])
        #expect(provider.inflightRequests.isEmpty)
    }

    @Test func `different requests are sent each`() {
        let provider = makeProvider()

        provider.request(.login(name: "a")) { _ in }
        provider.request(.login(name: "b")) { _ in }

        #expect(held.count == 2)
        #expect(provider.inflightRequests.count == 2)
        held.answerAll()
        #expect(provider.inflightRequests.isEmpty)
    }

    @Test func `without tracking every request is sent`() {
        let provider = makeProvider(tracks: false)

        provider.request(.zen) { _ in }
        provider.request(.zen) { _ in }

        #expect(held.count == 2)
        #expect(provider.inflightRequests.isEmpty)
        held.answerAll()
    }

    @Test func `a waiter that cancels is told alone`() {
        let provider = makeProvider()
        let first = Outcome()
        let second = Outcome()

        let request = provider.request(.zen) { first.take($0) }
        provider.request(.login(name: "other")) { _ in }
        provider.request(.zen, callbackQueue: nil) { second.take($0) }
        request.cancel()

        #expect(first.only?.summary == "underlying: NSURLErrorDomain -999")
        #expect(second.all.isEmpty)
        #expect(request.isCancelled)
        held.answerAll()
        #expect(first.all.count == 1)
        #expect(second.only?.summary.hasPrefix("200") == true)
    }

    @Test func `a waiter that leaves a stub gets a stub's error`() async {
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.delayedStub(0.05), trackInflights: true)
        let outcome = Outcome()

        let result = await callbackValue { callback in
            provider.request(.zen) { callback($0) }
            provider.request(.zen, callbackQueue: .main) { outcome.take($0) }.cancel()
        }

        #expect(outcome.only?.summary == "underlying: NSURLErrorDomain -999")
        #expect(result.summary.hasPrefix("200"))
    }

    @Test func `when the last waiter cancels the request is cancelled, and the next one is sent anew`() {
        let provider = makeProvider()
        let outcomes = [Outcome(), Outcome(), Outcome()]

        let requests = outcomes[0...1].map { outcome in provider.request(.zen) { outcome.take($0) } }
        for request in requests { request.cancel() }
        provider.request(.zen) { outcomes[2].take($0) }
        #expect(held.count == 2)
        held.answerAll()

        #expect(outcomes.map { $0.only?.summary.prefix(3) } == ["und", "und", "200"])
        #expect(provider.inflightRequests.isEmpty)
    }

    @Test func `a request made in a completion for the same key is sent`() {
        let provider = makeProvider()
        let outcome = Outcome()

        provider.request(.zen) { _ in provider.request(.zen) { outcome.take($0) } }
        held.answerAll()
        #expect(held.count == 1)
        held.answerAll()

        #expect(outcome.only?.summary.hasPrefix("200") == true)
        #expect(provider.inflightRequests.isEmpty)
    }

    @Test func `requests that cannot be made leave nothing behind`() {
        let provider = MoyaProvider<Zoo>(
            endpointClosure: { _ in
                Endpoint(
                    url: "no URL", sampleResponseClosure: { .networkResponse(200, Data()) }, method: .get, task: .requestPlain,
                    httpHeaderFields: nil)
            }, requestClosure: held.closure, stubClosure: MoyaProvider.immediatelyStub, trackInflights: true)
        let outcomes = [Outcome(), Outcome()]

        for outcome in outcomes {
            provider.request(.zen) { outcome.take($0) }
            held.answerAll()
        }

        #expect(outcomes.map { $0.only?.summary } == ["requestMapping", "requestMapping"])
        #expect(provider.inflightRequests.isEmpty)
    }

    @Test func `every waiter's progress block and queue are its own`() async {
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let provider = makeProvider()

        provider.request(.zen) { _ in journal.note("first") }
        let (progress, isOnQueue) = await callbackValue { callback in
            let steps = Locked<[Double]>([])
            provider.request(.zen, callbackQueue: queue, progress: { step in steps.withLock { $0.append(step.progress) } }) { _ in
                callback((steps.withLock { $0 }, DispatchQueue.getSpecific(key: key) == true))
            }
            held.answerAll()
        }

        #expect(progress == [1])
        #expect(isOnQueue)
    }

    @Test(arguments: Seeds.kept + Seeds.fresh(count: 2))
    func `requests from many threads complete once each`(seed: UInt64) {
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub, trackInflights: true)
        let counts = Locked([Int](repeating: 0, count: 2000))

        DispatchQueue.concurrentPerform(iterations: 2000) { index in
            var random = SeededGenerator(seed: seed &* 2000 &+ UInt64(index))
            let request = provider.request(.animal("\(Int.random(in: 0..<3, using: &random))")) { _ in counts.withLock { $0[index] += 1 } }
            if Int.random(in: 0..<4, using: &random) == 0 { request.cancel() }
        }

        #expect(counts.withLock { $0 } == [Int](repeating: 1, count: 2000))
        #expect(provider.inflightRequests.isEmpty)
    }
}
