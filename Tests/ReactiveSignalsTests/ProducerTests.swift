// SPDX-License-Identifier: MIT

import Foundation
import ReactiveSignals
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProducerTests {
    @Test func `each start runs the handler with a stream of its own`() {
        let starts = Recorded<Int>()
        let producer = IntProducer { observer, _ in
            starts.add(1)
            observer.send(value: starts.all.count)
            observer.sendCompleted()
        }
        #expect(starts.all.isEmpty)

        #expect(producer.descriptions == ["VALUE 1", "COMPLETED"])
        #expect(producer.descriptions == ["VALUE 2", "COMPLETED"])
    }

    @Test func `an operator that ends before its source ends once`() {
        func ends(_ name: String, _ producer: SignalProducer<Int, Never>, is expected: [String]) {
            let seen = Recorded<String>()
            producer.on(
                event: { seen.add("\($0)") }, interrupted: { seen.add("interrupted") }, terminated: { seen.add("terminated") },
                disposed: { seen.add("disposed") }
            ).start()
            #expect(seen.all == expected, "\(name)")
        }
        let numbers = SignalProducer<Int, Never>([1, 2, 3])

        ends("first", numbers.take(first: 1), is: ["VALUE 1", "COMPLETED", "terminated", "disposed"])
        ends("while", numbers.take(while: { $0 < 2 }), is: ["VALUE 1", "COMPLETED", "terminated", "disposed"])
        ends("until", numbers.take(until: { $0 < 2 }), is: ["VALUE 1", "VALUE 2", "COMPLETED", "terminated", "disposed"])
        let events = SignalProducer<Signal<Int, Never>.Event, Never>([.value(1), .completed, .value(2)])
        ends("dematerialize", events.dematerialize(), is: ["VALUE 1", "COMPLETED", "terminated", "disposed"])

        let failures = Recorded<String>()
        let results = SignalProducer<Result<Int, TestError>, Never>([.success(1), .failure(TestError()), .success(2)])
        results.dematerializeResults().on(event: { failures.add("\($0)") }, terminated: { failures.add("terminated") }).start()
        #expect(failures.all.count == 3 && failures.all.last == "terminated")
    }

    @Test(arguments: [true, false])
    func `setup runs before the work`(isMapped: Bool) {
        let seen = Recorded<String>()
        let plain = IntProducer { observer, _ in
            seen.add("work")
            observer.send(value: 1)
        }
        let producer = isMapped ? plain.map { $0 } : plain

        let result = producer.startWithSignal { signal, _ in
            signal.observe { seen.add("\($0)") }
            seen.add("setup")
            return 7
        }

        #expect(result == 7)
        #expect(seen.all == ["setup", "work", "VALUE 1", "INTERRUPTED"])
    }

    @Test(arguments: [0, 1, 2])
    func `work that setup disposes of never runs`(kind: Int) {
        let seen = Recorded<String>()
        let plain = IntProducer { _, _ in seen.add("work") }
        let producer = [plain, plain.map { $0 }, IntProducer([1, 2, 3])][kind]

        producer.startWithSignal { signal, handle in
            signal.observe { seen.add("\($0)") }
            handle.dispose()
        }

        #expect(seen.all == ["INTERRUPTED"])
    }

    @Test func `work whose signal nobody wants is started and disposed of`() {
        let seen = Recorded<String>()
        let producer = IntProducer { observer, lifetime in
            seen.add("work")
            lifetime.observeEnded {
                withExtendedLifetime(observer) {}
                seen.add("disposed")
            }
        }

        producer.startWithSignal { _, _ in }

        #expect(seen.all == ["work", "disposed"])
    }

    @Test(arguments: [true, false])
    func `disposing of a start interrupts the observer, then ends the lifetime, once`(isMapped: Bool) {
        let seen = Recorded<String>()
        let plain = IntProducer { observer, lifetime in
            lifetime.observeEnded {
                withExtendedLifetime(observer) {}
                seen.add("ended")
            }
        }
        let handle = (isMapped ? plain.map { $0 } : plain).start { seen.add("\($0)") }

        handle.dispose()
        handle.dispose()

        #expect(seen.all == ["INTERRUPTED", "ended"])
        #expect(handle.isDisposed)
    }

    @Test func `a start can be disposed of from inside its observer`() {
        let (signal, input) = IntSignal.pipe()
        let seen = Recorded<String>()
        let handle = SerialDisposable()
        handle.inner = signal.producer.map { $0 }.start { event in
            seen.add("\(event)")
            handle.dispose()
        }

        input.send(value: 1)
        input.send(value: 2)

        #expect(seen.all == ["VALUE 1", "INTERRUPTED"])
    }

    @Test func `a handler that keeps nothing is interrupted when the handle is dropped`() {
        let seen = Recorded<String>()
        var handle: (any Disposable)? = IntProducer { _, _ in }.map { $0 }.start { seen.add("\($0)") }
        withExtendedLifetime(handle) {}
        #expect(seen.all.isEmpty)

        handle = nil

        #expect(seen.all == ["INTERRUPTED"])
    }

    @Test func `an operator that ends early ends the work at once`() {
        let sent = Recorded<Int>()
        let producer = IntProducer { observer, lifetime in
            for value in 0..<100 where !lifetime.hasEnded {
                sent.add(value)
                observer.send(value: value)
            }
            observer.sendCompleted()
        }

        #expect(producer.take(first: 5).descriptions.last == "COMPLETED")
        #expect(sent.all == [0, 1, 2, 3, 4])
    }

    @Test func `a sequence is not enumerated beyond what is taken`() {
        let drawn = Recorded<Int>()
        let endless = sequence(first: 0) { value in
            drawn.add(value)
            return value + 1
        }

        #expect(SignalProducer(endless).map { $0 * 2 }.take(first: 3).descriptions == ["VALUE 0", "VALUE 2", "VALUE 4", "COMPLETED"])
        #expect(drawn.all.count <= 3)
        let merged = SignalProducer(values: 1, 2).flatMap(.merge) { _ in SignalProducer(endless) }.take(first: 2)
        #expect(merged.descriptions == ["VALUE 0", "VALUE 1", "COMPLETED"])
    }

    @Test func `a lifted transform runs once for each start, and its output outlives an input that it ignores`() {
        let lifts = Recorded<Int>()
        let (other, input) = IntSignal.pipe()
        let producer = IntProducer.empty.lift { _ in
            lifts.add(1)
            return other
        }

        let (events, handle) = producer.recorded()
        input.send(value: 1)
        #expect(events.all == ["VALUE 1"])
        handle.dispose()

        #expect(events.all == ["VALUE 1", "INTERRUPTED"])
        #expect(lifts.all.count == 1)
    }

    @Test func `binary operators start their producers in the order that lets nothing be missed`() {
        let order = Recorded<String>()
        let left = SignalProducer<Int, Never>(values: 1, 2).on(starting: { order.add("left") })
        let right = SignalProducer<(), Never>(value: ()).on(starting: { order.add("right") })

        #expect(left.take(until: right).descriptions == ["COMPLETED"])
        #expect(order.all == ["right"])
        #expect(left.skip(until: right).descriptions == ["VALUE 1", "VALUE 2", "COMPLETED"])
        #expect(order.all == ["right", "right", "left"])
        #expect(left.sample(on: right).descriptions == ["VALUE 2", "COMPLETED"])
        #expect(order.all.suffix(2) == ["left", "right"])
        #expect(left.withLatest(from: SignalProducer(value: 9)).map { $0.0 * $0.1 }.descriptions == ["VALUE 9", "VALUE 18", "COMPLETED"])
    }

    @Test func `long lists do not overflow the stack`() {
        let many = (0..<700).map { SignalProducer<Int, Never>(value: $0) }
        #expect(SignalProducer.combineLatest(many).map(\.count).descriptions == ["VALUE 700", "COMPLETED"])
        #expect(SignalProducer.zip(many).map(\.count).descriptions == ["VALUE 700", "COMPLETED"])

        let inners = SignalProducer<Int, Never>(0..<10_000).flatMap(.concat) { SignalProducer<Int, Never>(value: $0) }
        #expect(inners.collect().map(\.count).descriptions == ["VALUE 10000", "COMPLETED"])
        #expect(SignalProducer<Int, Never>(value: 1).repeat(100_000).reduce(0, +).descriptions == ["VALUE 100000", "COMPLETED"])
    }

    @Test func `a start disposed of while it completes ends once, ten thousand times`() {
        let worker = DispatchQueue(label: "worker")
        for _ in 0..<10_000 {
            let (signal, input) = IntSignal.pipe()
            let ends = Atomic(0)
            let handle = signal.producer.map { $0 + 1 }.start { if $0.isTerminating { ends.modify { $0 += 1 } } }
            let done = DispatchSemaphore(value: 0)
            worker.async {
                input.send(value: 1)
                input.sendCompleted()
                done.signal()
            }
            handle.dispose()
            done.wait()
            #expect(ends.value == 1)
        }
    }

    @Test func `switching under load forwards nothing of the streams before`() {
        let (outer, input) = Signal<IntProducer, Never>.pipe()
        let seen = Recorded<Int>()
        let handle = outer.flatten(.latest).observeResult { if case .success(let value) = $0 { seen.add(value) } }
        let inner = (0..<8).map { _ in IntSignal.pipe() }
        onThreads(2) { number in
            if number == 0 {
                for round in 0..<2_000 { input.send(value: inner[round % 8].output.producer) }
            } else {
                for round in 0..<20_000 { inner[round % 8].input.send(value: round % 8) }
            }
        }
        input.send(value: inner[3].output.producer)
        let before = seen.all.count
        for (number, pipe) in inner.enumerated() { pipe.input.send(value: number) }

        #expect(Array(seen.all[before...]) == [3])
        handle?.dispose()
    }

    @Test func `initialisers resolve to the types that their arguments suggest`() {
        let plain = { @Sendable () -> String in "a" }
        let throwing = { @Sendable () throws -> String in throw TestError() }
        let result = { @Sendable () -> Result<String, Never> in .success("a") }
        let failing = { @Sendable () -> Result<String, any Error> in .failure(TestError()) }
        let first: SignalProducer<String, any Error> = SignalProducer(plain)
        let second: SignalProducer<String, any Error> = SignalProducer(throwing)
        let third: SignalProducer<String, Never> = SignalProducer(result)
        let fourth: SignalProducer<String, any Error> = SignalProducer(failing)

        #expect(type(of: SignalProducer(plain)) == type(of: first))
        #expect(type(of: SignalProducer(throwing)) == type(of: second))
        #expect(type(of: SignalProducer(result)) == type(of: third))
        #expect(type(of: SignalProducer(failing)) == type(of: fourth))
        #expect(second.descriptions == ["FAILED TestError(number: 0)"])
        let inner = SignalProducer([SignalProducer<Int, Never>(value: 1), SignalProducer<Int, Never>(value: 2)])
        #expect(inner.flatten(.merge).descriptions == ["VALUE 1", "VALUE 2", "COMPLETED"])
    }
}
