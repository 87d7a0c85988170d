// SPDX-License-Identifier: MIT

import Foundation
import ReactiveSignals
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SignalTests {
    @Test(arguments: [IntSignal.Event.failed(TestError()), .completed, .interrupted])
    func `nothing follows a terminal event`(end: IntSignal.Event) {
        let (signal, input) = IntSignal.pipe()
        let events = signal.recorded()

        input.send(value: 1)
        input.send(end)
        input.send(value: 2)
        input.sendCompleted()
        input.send(error: TestError(7))

        #expect(events.all == ["VALUE 1", "\(end)"])
    }

    @Test func `observers see the same events in the order in which they were attached`() {
        let (signal, input) = IntSignal.pipe()
        let seen = Recorded<String>()
        for name in ["a", "b", "c"] { signal.observe { seen.add("\(name) \($0)") } }

        input.send(value: 1)
        input.sendCompleted()

        #expect(seen.all == ["a VALUE 1", "b VALUE 1", "c VALUE 1", "a COMPLETED", "b COMPLETED", "c COMPLETED"])
    }

    @Test func `values sent from eight threads are delivered one at a time, each once`() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let busy = Atomic(false)
        let overlaps = Atomic(0)
        nonisolated(unsafe) var sum = 0
        nonisolated(unsafe) var count = 0
        signal.observeValues { value in
            if busy.swap(true) { overlaps.modify { $0 += 1 } }
            sum += value
            count += 1
            busy.value = false
        }

        onThreads(8) { number in
            for value in 0..<10_000 { input.send(value: number * 10_000 + value) }
        }

        #expect(overlaps.value == 0)
        #expect(count == 80_000)
        #expect(sum == (0..<80_000).reduce(0, +))
    }

    @Test func `a terminal event from any of eight threads is delivered once and is the last`() {
        for round in 0..<200 {
            let (signal, input) = IntSignal.pipe()
            let events = signal.recorded()
            onThreads(8) { number in
                for value in 0..<20 { input.send(value: value) }
                if number % 2 == round % 2 { input.send(error: TestError(number)) } else { input.sendCompleted() }
                input.send(value: -1)
            }
            #expect(events.all.count { !$0.hasPrefix("VALUE") } == 1)
            #expect(events.all.last?.hasPrefix("VALUE") == false)
        }
    }

    @Test func `a terminal event amid the values of eight threads is the last, and those who wait give up`() {
        for end in [IntSignal.Event.failed(TestError(5)), .completed, .interrupted] {
            let (signal, input) = IntSignal.pipe()
            let (count, ends, late) = (Atomic(0), Atomic(0), Atomic(0))
            signal.observe { event in
                if event.isTerminating {
                    ends.modify { $0 += 1 }
                } else {
                    count.modify { $0 += 1 }
                    if ends.value > 0 { late.modify { $0 += 1 } }
                }
            }
            onThreads(8) { number in
                for value in 0..<10_000 {
                    if number == 0, value == 5_000 { input.send(end) }
                    input.send(value: value)
                }
            }
            #expect((5_000...75_000).contains(count.value))
            #expect(ends.value == 1)
            #expect(late.value == 0)
        }
    }

    @Test func `a terminal event from inside an observer follows the value under way`() {
        let (signal, input) = IntSignal.pipe()
        let seen = Recorded<String>()
        signal.observe { event in
            seen.add("first \(event)")
            if case .value = event { input.sendCompleted() }
        }
        signal.observe { seen.add("second \($0)") }

        input.send(value: 1)
        input.send(value: 2)

        #expect(seen.all == ["first VALUE 1", "second VALUE 1", "first COMPLETED", "second COMPLETED"])
    }

    @Test func `an interruption while another thread is inside an observer follows its value`() {
        let (signal, input) = IntSignal.pipe()
        let inside = DispatchSemaphore(value: 0)
        let leave = DispatchSemaphore(value: 0)
        let events = Recorded<String>()
        signal.observe { event in
            events.add("\(event)")
            if case .value = event {
                inside.signal()
                leave.wait()
            }
        }
        let done = DispatchSemaphore(value: 0)
        Thread {
            input.send(value: 1)
            done.signal()
        }.start()
        inside.wait()

        input.sendInterrupted()
        #expect(events.all == ["VALUE 1"])
        leave.signal()
        done.wait()

        #expect(events.all == ["VALUE 1", "INTERRUPTED"])
    }

    @Test func `sending a value from inside its delivery traps and says what to use`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.observeValues { input.send(value: $0) }
            input.send(value: 1)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("reentrantUnserialized"))
    }

    @Test func `a reentrant signal hands out what was sent from inside in order`() {
        let (signal, input) = Signal<Int, Never>.reentrantUnserializedPipe()
        let seen = Recorded<Int>()
        for factor in [1, 2] {
            signal.observeValues { value in
                guard value == 0 else { return }
                input.send(value: 10 * factor)
                input.send(value: 100 * factor)
            }
        }
        signal.observeValues { seen.add($0) }

        input.send(value: 0)

        #expect(seen.all == [0, 10, 100, 20, 200])
    }

    @Test func `observing a terminated signal gives an interruption and nothing to dispose of`() {
        let seen = Recorded<String>()

        let handle = IntSignal.empty.observe { seen.add("\($0)") }

        #expect(handle == nil)
        #expect(seen.all == ["INTERRUPTED"])
    }

    @Test func `a detached observer sees nothing more and is released`() {
        let (signal, input) = IntSignal.pipe()
        let seen = Recorded<String>()
        weak var released: Recorded<Int>?
        var handle: (any Disposable)?
        do {
            let captured = Recorded<Int>()
            released = captured
            handle = signal.observe { event in
                captured.add(1)
                seen.add("\(event)")
            }
        }

        input.send(value: 1)
        handle?.dispose()
        input.send(value: 2)

        #expect(seen.all == ["VALUE 1"])
        #expect(released == nil)
        #expect(handle?.isDisposed == true)
    }

    @Test func `an observer can detach itself`() {
        let (signal, input) = IntSignal.pipe()
        let seen = Recorded<String>()
        let handle = SerialDisposable()
        handle.inner = signal.observe { event in
            seen.add("\(event)")
            handle.dispose()
        }

        input.send(value: 1)
        input.send(value: 2)

        #expect(seen.all == ["VALUE 1"])
    }

    @Test func `the lifetime ends after the terminal event was delivered, and disposes in the order of adding`() {
        let seen = Recorded<String>()
        let token = Recorded<IntSignal.Observer>()
        let signal = IntSignal { observer, lifetime in
            token.add(observer)
            lifetime.observeEnded { seen.add("one") }
            lifetime.observeEnded { seen.add("two") }
        }
        signal.observeCompleted { seen.add("completed") }

        token.all.first?.sendCompleted()

        #expect(seen.all == ["completed", "one", "two"])
    }

    @Test func `a signal that terminates in its generator has ended its lifetime there`() {
        let seen = Recorded<String>()

        _ = IntSignal { observer, lifetime in
            observer.sendCompleted()
            #expect(lifetime.hasEnded)
            let handle = lifetime.observeEnded { seen.add("ended") }
            #expect(handle == nil)
        }

        #expect(seen.all == ["ended"])
    }

    @Test func `releasing the input interrupts`() {
        var pipe: (output: IntSignal, input: IntSignal.Observer)? = IntSignal.pipe()
        let signal = pipe?.output
        let events = signal?.recorded()

        pipe = nil

        #expect(events?.all == ["INTERRUPTED"])
        #expect(pipe == nil)
    }

    @Test func `a signal that nobody references or observes is disposed of in silence`() {
        let disposed = AnyDisposable()
        var pipe: (output: IntSignal, input: IntSignal.Observer)? = IntSignal.pipe(disposable: disposed)
        let input = pipe?.input
        #expect(!disposed.isDisposed)

        pipe = nil

        #expect(disposed.isDisposed)
        input?.send(value: 1)
    }

    @Test func `an observed signal lives without its shell`() {
        let disposed = AnyDisposable()
        var pipe: (output: IntSignal, input: IntSignal.Observer)? = IntSignal.pipe(disposable: disposed)
        let events = pipe?.output.recorded()
        let input = pipe?.input
        pipe = nil

        input?.send(value: 1)
        #expect(!disposed.isDisposed)
        input?.sendCompleted()

        #expect(events?.all == ["VALUE 1", "COMPLETED"])
        #expect(disposed.isDisposed)
    }

    @Test func `a derived signal that nobody observes does no work`() {
        let (signal, input) = IntSignal.pipe()
        let calls = Recorded<Int>()
        let observed = Recorded<Int>()
        do {
            _ = signal.map { value in
                calls.add(value)
                return value
            }
            signal.map { $0 * 2 }.observeResult { if case .success(let value) = $0 { observed.add(value) } }
        }

        input.send(value: 1)

        #expect(calls.all.isEmpty)
        #expect(observed.all == [2])
    }

    @Test func `a signal that never sends keeps its observer until it is released`() {
        let events = Recorded<String>()
        let handle = IntSignal.never.observe { events.add("\($0)") }

        #expect(events.all.isEmpty)
        handle?.dispose()
        #expect(events.all.isEmpty)
    }
}
