// SPDX-License-Identifier: MIT

import Foundation
import ReactiveSignals
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OperatorTests {
    @Test func `taking none does not start the work`() {
        let starts = Recorded<Int>()
        let producer = IntProducer([1]).on(starting: { starts.add(1) })

        #expect(producer.take(first: 0).descriptions == ["INTERRUPTED"])
        #expect(starts.all.isEmpty)
        #expect(IntSignal.pipe().output.take(first: 0).recorded().all == ["INTERRUPTED"])
    }

    @Test func `taking until a predicate includes the value that ends it`() {
        #expect(IntProducer([1, 2, 3]).take(until: { $0 < 2 }).descriptions == ["VALUE 1", "VALUE 2", "COMPLETED"])
        #expect(IntProducer([1, 2, 3]).take(while: { $0 < 2 }).descriptions == ["VALUE 1", "COMPLETED"])
    }

    @Test func `a trigger's interruption is ignored by take and forwarded by skip`() {
        let interrupted = SignalProducer<(), Never> { observer, _ in observer.sendInterrupted() }
        #expect(IntProducer([1]).take(until: interrupted).descriptions == ["VALUE 1", "COMPLETED"])
        #expect(IntProducer([1]).skip(until: interrupted).descriptions == ["INTERRUPTED"])
    }

    @Test func `a lifetime that has ended completes at once`() {
        #expect(IntProducer.never.take(during: .empty).descriptions == ["COMPLETED"])
        let (lifetime, token) = Lifetime.make()
        let (events, _) = IntProducer.never.take(during: lifetime).recorded()
        #expect(events.all.isEmpty)
        token.dispose()
        #expect(events.all == ["COMPLETED"])
    }

    @Test func `actions run in their order around the events downstream`() {
        let seen = Recorded<String>()
        let inner = IntProducer([1]).on(starting: { seen.add("inner starting") }, started: { seen.add("inner started") })
        let producer = inner.on(
            starting: { seen.add("starting") }, started: { seen.add("started") }, event: { seen.add("event \($0)") },
            completed: { seen.add("completed") }, terminated: { seen.add("terminated") }, disposed: { seen.add("disposed") },
            value: { seen.add("value \($0)") })

        producer.start { seen.add("downstream \($0)") }

        #expect(
            seen.all == [
                "starting", "inner starting", "event VALUE 1", "value 1", "downstream VALUE 1", "event COMPLETED", "completed",
                "terminated",
                "downstream COMPLETED", "disposed", "inner started", "started",
            ])
    }

    @Test(arguments: ["observe", "delay", "throttle", "debounce", "lazyMap", "collect"])
    func `disposal discards what waits for a scheduler and interrupts there, once`(name: String) {
        let scheduler = TestScheduler()
        let operators: [String: @Sendable (IntProducer) -> SignalProducer<String, TestError>] = [
            "observe": { $0.observe(on: scheduler).map(String.init) },
            "delay": { $0.delay(1, on: scheduler).map(String.init) },
            "throttle": { $0.throttle(1, on: scheduler).map(String.init) },
            "debounce": { $0.debounce(1, on: scheduler).map(String.init) },
            "lazyMap": { $0.lazyMap(on: scheduler) { "\($0)" } },
            "collect": { $0.collect(every: .seconds(1), on: scheduler).map { "\($0)" } },
        ]
        for completes in [false, true] {
            let disposed = Recorded<Int>()
            let source = IntProducer { observer, lifetime in
                lifetime.observeEnded {
                    withExtendedLifetime(observer) {}
                    disposed.add(1)
                }
                for value in 0..<128 { observer.send(value: value) }
                if completes { observer.sendCompleted() }
            }
            let started = operators[name].map { $0(source).recorded() }
            started?.handle.dispose()
            #expect(disposed.all == [1])
            #expect(started?.events.all.isEmpty == true)
            scheduler.advance(by: .seconds(5))
            #expect(started?.events.all == ["INTERRUPTED"])
        }
    }

    @Test func `a delay holds values and the completion back, and no failure`() {
        let scheduler = TestScheduler()
        let (signal, input) = IntSignal.pipe()
        let delayed = signal.delay(10, on: scheduler).recorded()
        input.send(value: 1)
        scheduler.advance(by: .seconds(9))
        #expect(delayed.all.isEmpty)
        scheduler.advance(by: .seconds(1))
        input.send(value: 2)
        input.send(error: TestError())
        scheduler.advance()
        #expect(delayed.all == ["VALUE 1", "FAILED TestError(number: 0)"])
    }

    @Test func `a throttle sends the first at once and then the latest of each interval`() {
        let scheduler = TestScheduler()
        let (signal, input) = IntSignal.pipe()
        let throttled = signal.throttle(1, on: scheduler).recorded()
        input.send(value: 0)
        scheduler.advance()
        input.send(value: 1)
        input.send(value: 2)
        #expect(throttled.all == ["VALUE 0"])
        scheduler.advance(by: .milliseconds(1500))
        #expect(throttled.all == ["VALUE 0", "VALUE 2"])
        input.send(value: 3)
        input.sendCompleted()
        scheduler.advance()
        #expect(throttled.all == ["VALUE 0", "VALUE 2", "COMPLETED"])
    }

    @Test(arguments: [true, false])
    func `a debounce sends the latest after a pause`(discards: Bool) {
        let scheduler = TestScheduler()
        let (signal, input) = IntSignal.pipe()
        let debounced = signal.debounce(1, on: scheduler, discardWhenCompleted: discards).recorded()
        input.send(value: 0)
        scheduler.advance(by: .milliseconds(500))
        input.send(value: 1)
        scheduler.advance(by: .milliseconds(999))
        #expect(debounced.all.isEmpty)
        scheduler.advance(by: .milliseconds(2))
        #expect(debounced.all == ["VALUE 1"])
        input.send(value: 2)
        input.sendCompleted()
        scheduler.advance(by: .seconds(2))
        #expect(debounced.all == (discards ? ["VALUE 1", "COMPLETED"] : ["VALUE 1", "VALUE 2", "COMPLETED"]))
    }

    @Test func `a timeout runs from the start, whatever is sent`() {
        let scheduler = TestScheduler()
        let (signal, input) = IntSignal.pipe()
        let events = signal.timeout(after: 2, raising: TestError(2), on: scheduler).recorded()
        scheduler.advance(by: .seconds(1))
        input.send(value: 1)
        scheduler.advance(by: .seconds(1))
        #expect(events.all == ["VALUE 1", "FAILED TestError(number: 2)"])
    }

    @Test func `combining completes with the last and zipping with the first that is used up`() {
        let (left, leftInput) = IntSignal.pipe()
        let (right, rightInput) = IntSignal.pipe()
        let latest = Signal.combineLatest(left, right).map { "\($0.0)\($0.1)" }.recorded()
        let zipped = Signal.zip(left, right).map { "\($0.0)\($0.1)" }.recorded()
        leftInput.send(value: 1)
        leftInput.send(value: 2)
        rightInput.send(value: 3)
        leftInput.sendCompleted()
        #expect(latest.all == ["VALUE 23"])
        #expect(zipped.all == ["VALUE 13"])
        rightInput.send(value: 4)
        rightInput.sendCompleted()
        #expect(latest.all == ["VALUE 23", "VALUE 24", "COMPLETED"])
        #expect(zipped.all == ["VALUE 13", "VALUE 24", "COMPLETED"])
    }

    @Test func `a combined emission may terminate its inputs`() {
        let (left, leftInput) = IntSignal.pipe()
        let (right, rightInput) = IntSignal.pipe()
        let seen = Recorded<String>()
        Signal.combineLatest(left, right).observe { event in
            seen.add(event.isCompleted ? "completed" : "value")
            leftInput.sendCompleted()
            rightInput.sendCompleted()
        }
        leftInput.send(value: 1)
        rightInput.send(value: 2)
        #expect(seen.all == ["value", "completed"])
    }

    @Test func `no streams complete at once, after the value that stands for none`() {
        let none: [SignalProducer<Int, Never>] = []
        #expect(SignalProducer.combineLatest(none).descriptions == ["COMPLETED"])
        #expect(SignalProducer.zip(none, emptySentinel: [7]).descriptions == ["VALUE [7]", "COMPLETED"])
        #expect(SignalProducer.merge(none).descriptions == ["COMPLETED"])
    }

    @Test func `concurrent flattening runs as many as its limit and keeps the order of the others`() {
        let pipes = (0..<4).map { _ in IntSignal.pipe() }
        let started = Recorded<Int>()
        let producer = IntProducer([0, 1, 2, 3]).flatMap(.concurrent(limit: 2)) { number in
            pipes[number].output.producer.on(starting: { started.add(number) })
        }
        let (events, _) = producer.recorded()
        #expect(started.all == [0, 1])
        pipes[1].input.sendCompleted()
        pipes[2].input.send(value: 2)
        #expect(started.all == [0, 1, 2])
        pipes[0].input.sendInterrupted()
        #expect(started.all == [0, 1, 2, 3])
        pipes[2].input.sendCompleted()
        pipes[3].input.sendCompleted()
        #expect(events.all == ["VALUE 2", "COMPLETED"])
    }

    @Test func `the first of a race to send wins`() {
        let pipes = (0..<3).map { _ in IntSignal.pipe() }
        let disposed = Recorded<Int>()
        let producer = IntProducer([0, 1, 2]).flatMap(.race) { number in
            pipes[number].output.producer.on(disposed: { disposed.add(number) })
        }
        let (events, _) = producer.recorded()
        pipes[1].input.send(value: 1)
        pipes[0].input.send(value: 0)
        #expect(Set(disposed.all) == [0, 2])
        pipes[1].input.sendCompleted()
        #expect(events.all == ["VALUE 1", "COMPLETED"])
    }

    @Test func `repeating and retrying start again`() {
        #expect(IntProducer([1]).repeat(0).descriptions == ["COMPLETED"])
        #expect(IntProducer([1]).repeat(2).descriptions == ["VALUE 1", "VALUE 1", "COMPLETED"])
        #expect(IntProducer([1]).repeat(.max).take(first: 1).descriptions == ["VALUE 1", "COMPLETED"])
        let attempts = Recorded<Int>()
        let failing = IntProducer { observer, _ in
            attempts.add(1)
            observer.send(error: TestError(attempts.all.count))
        }
        #expect(failing.retry(upTo: 2).descriptions == ["FAILED TestError(number: 3)"])
        let scheduler = TestScheduler()
        let (events, _) = failing.retry(upTo: 1, interval: 5, on: scheduler).recorded()
        #expect(events.all.isEmpty)
        scheduler.advance(by: .seconds(5))
        #expect(events.all == ["FAILED TestError(number: 5)"])
    }

    @Test func `the blocking calls return values, failures or nothing`() {
        #expect(IntProducer([1, 2]).first() == .success(1))
        #expect(IntProducer([1, 2]).single() == nil)
        #expect(IntProducer([1]).single() == .success(1))
        #expect(IntProducer([1, 2]).last() == .success(2))
        #expect(IntProducer.empty.first() == nil)
        #expect(IntProducer(error: TestError(1)).last() == .failure(TestError(1)))
        guard case .failure(TestError(1)) = IntProducer(error: TestError(1)).wait() else {
            Issue.record("expected the failure")
            return
        }
    }

    @Test func `replaying starts the work once and repeats the latest values and the end`() {
        let starts = Recorded<Int>()
        let (signal, input) = IntSignal.pipe()
        let replayed = signal.producer.on(started: { starts.add(1) }).replayLazily(upTo: 2)
        let (first, _) = replayed.recorded()
        for value in 1...3 { input.send(value: value) }
        let (second, _) = replayed.recorded()
        input.send(value: 4)
        input.send(error: TestError())
        let (third, _) = replayed.recorded()

        #expect(starts.all == [1])
        #expect(first.all == ["VALUE 1", "VALUE 2", "VALUE 3", "VALUE 4", "FAILED TestError(number: 0)"])
        #expect(second.all == ["VALUE 2", "VALUE 3", "VALUE 4", "FAILED TestError(number: 0)"])
        #expect(third.all == ["VALUE 3", "VALUE 4", "FAILED TestError(number: 0)"])
    }

    @Test func `then and flatMap have the error type that their arguments leave`() {
        let never = SignalProducer<Int, Never>(value: 1)
        let failing = IntProducer(value: 1)
        let first: SignalProducer<String, Never> = never.then(SignalProducer<String, Never>(value: "a"))
        let second: SignalProducer<String, TestError> = never.then(SignalProducer<String, TestError>(value: "a"))
        let third: SignalProducer<String, TestError> = failing.then(SignalProducer<String, Never>(value: "a"))
        let fourth = failing.then(.empty)
        let fifth = failing.flatMap(.merge) { _ in SignalProducer<String, Never>(value: "a") }
        #expect(first.descriptions == ["VALUE a", "COMPLETED"])
        #expect(second.descriptions == ["VALUE a", "COMPLETED"])
        #expect(third.descriptions == ["VALUE a", "COMPLETED"])
        #expect(fourth.descriptions == ["COMPLETED"])
        #expect(fifth.descriptions == ["VALUE a", "COMPLETED"])
    }
}
