// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPTesting
import Testing

@testable import Moya

@Suite(.timeLimit(.minutes(1))) struct CancellationTests {
    @Test func `a token runs its action once, on the thread that cancels`() {
        let journal = Journal()
        let token = CancellableToken { journal.note("cancelled") }

        #expect(!token.isCancelled)
        token.cancel()
        #expect(token.isCancelled)
        token.cancel()

        #expect(journal.entries == ["cancelled"])
        #expect(!token.debugDescription.isEmpty)
    }

    @Test func `many threads that cancel run the action once`() {
        let journal = Journal()
        let token = CancellableToken { journal.note("cancelled") }

        DispatchQueue.concurrentPerform(iterations: 100) { _ in token.cancel() }

        #expect(journal.entries.count == 1)
    }

    @Test func `a request cancelled before its closure answers is told when it does`() {
        let journal = Journal()
        let held = HeldRequests()
        let outcome = Outcome()
        let provider = MoyaProvider<Zoo>(
            requestClosure: held.closure, stubClosure: MoyaProvider.immediatelyStub, plugins: [RecordingPlugin(name: "A", journal: journal)]
        )

        let request = provider.request(.zen) { outcome.take($0) }
        request.cancel()

        #expect(request.isCancelled)
        #expect(outcome.all.isEmpty)

        held.answerAll()

        #expect(outcome.only?.summary == "underlying: NSURLErrorDomain -999")
        #expect(journal.entries == ["A didReceive underlying: NSURLErrorDomain -999", "A process underlying: NSURLErrorDomain -999"])
        guard case .failure(.underlying(let error as NSError, nil))? = outcome.only else { return #expect(Bool(false)) }
        #expect(error.code == NSURLErrorCancelled)
    }

    @Test func `a delayed stub that is cancelled is told at its time`() async {
        let journal = Journal()
        let provider = MoyaProvider<Zoo>(
            stubClosure: MoyaProvider.delayedStub(0.05), plugins: [RecordingPlugin(name: "A", journal: journal)])
        let start = ContinuousClock.now

        let result = await callbackValue { callback in
            provider.request(.zen) { callback($0) }.cancel()
        }

        #expect(result.summary == "underlying: NSURLErrorDomain -999")
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        #expect(
            journal.entries == [
                "A prepare", "A willSend A", "A didReceive underlying: NSURLErrorDomain -999",
                "A process underlying: NSURLErrorDomain -999",
            ])
    }

    @Test func `an immediate stub on a queue that is cancelled before it runs is cancelled`() async {
        let queue = DispatchQueue(label: "test")
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub)

        queue.suspend()
        let result = await callbackValue { callback in
            let request = provider.request(.zen, callbackQueue: queue) { callback($0) }
            request.cancel()
            queue.resume()
        }

        #expect(result.summary == "underlying: NSURLErrorDomain -999")
    }

    @Test func `cancelling after the end does nothing`() {
        let outcome = Outcome()
        let provider = MoyaProvider<Zoo>(stubClosure: MoyaProvider.immediatelyStub)

        let request = provider.request(.login(name: "n")) { outcome.take($0) }
        request.cancel()
        request.cancel()

        #expect(outcome.only?.summary == "200 ")
        #expect(request.isCancelled)
    }

    @Test func `what cancels a request keeps neither provider nor completion once it has ended`() {
        let held = HeldRequests()
        weak var weakProvider: MoyaProvider<Zoo>?
        weak var weakOutcome: Outcome?
        var request: (any Cancellable)?
        do {
            let provider = MoyaProvider<Zoo>(requestClosure: held.closure, stubClosure: MoyaProvider.immediatelyStub)
            let outcome = Outcome()
            weakProvider = provider
            weakOutcome = outcome
            request = provider.request(.zen) { outcome.take($0) }
        }

        #expect(weakProvider != nil)
        held.answerAll()

        #expect(weakProvider == nil)
        #expect(weakOutcome == nil)
        #expect(request?.isCancelled == false)
    }
}
