// SPDX-License-Identifier: MIT

import Foundation
import ReactiveMoya
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AsyncBridgeTests {
    @Test func `the values of a request are one response`() async throws {
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub)
        var codes: [Int] = []

        for try await response in provider.reactive.request(.zen).values { codes.append(response.statusCode) }

        #expect(codes == [200])
    }

    @Test func `no value is lost, and a failure is thrown after them`() async throws {
        struct Failure: Error {}
        let producer = SignalProducer<Int, Failure>([1, 2, 3]).concat(error: Failure())
        var values: [Int] = []

        await #expect(throws: Failure.self) {
            for try await value in producer.values { values.append(value) }
        }

        #expect(values == [1, 2, 3])
    }

    @Test func `an interruption from elsewhere is thrown as a cancellation`() async {
        let producer = SignalProducer<Int, Never> { observer, _ in observer.sendInterrupted() }

        await #expect(throws: CancellationError.self) {
            for try await _ in producer.values {}
        }
    }

    @Test func `leaving the loop disposes of the start`() async throws {
        let provider = HeldProvider()
        let endless = SignalProducer<Int, MoyaError>(value: 1).concat(provider.reactive.request(.zen).map { $0.statusCode })

        for try await value in endless.values {
            #expect(value == 1)
            break
        }

        #expect(provider.cancelled.all.count == 1)
    }

    @Test func `cancelling the task that waits disposes of the start`() async throws {
        let provider = HeldProvider()
        let values = provider.reactive.request(.zen).values
        let task = _Concurrency.Task {
            for try await _ in values {}
        }

        task.cancel()
        _ = await task.result

        #expect(provider.cancelled.all.count == 1)
    }

    @Test func `a producer of an async function sends what it returns, at each start`() async throws {
        let calls = Recorded<Int>()
        let producer = SignalProducer<String, Never>(async: {
            calls.add(1)
            return "hello"
        })
        var values: [String] = []

        for try await value in producer.values { values.append(value) }
        for try await value in producer.values { values.append(value) }

        #expect(values == ["hello", "hello"])
        #expect(calls.all.count == 2)
    }

    @Test func `what an async function throws is the failure, with its type`() async {
        let producer = SignalProducer<Int, MoyaError>(async: { () async throws(MoyaError) -> Int in throw .requestMapping("no URL") })

        await #expect(throws: MoyaError.self) {
            for try await _ in producer.values {}
        }
    }

    @Test func `disposing of a start cancels the task of its function, and drops what it returns`() async throws {
        let (cancelled, continuation) = AsyncStream<Bool>.makeStream()
        let events = Recorded<String>()
        let producer = SignalProducer<Int, Never>(async: {
            while !_Concurrency.Task.isCancelled { await _Concurrency.Task.yield() }
            continuation.yield(true)
            return 1
        })

        let handle = producer.start { events.add("\($0)") }
        handle.dispose()

        #expect(await cancelled.first { $0 } == true)
        #expect(events.all == ["INTERRUPTED"])
    }
}
