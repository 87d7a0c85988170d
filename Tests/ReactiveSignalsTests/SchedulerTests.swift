// SPDX-License-Identifier: MIT

import Foundation
import ReactiveSignals
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SchedulerTests {
    @Test func `the immediate one runs inline`() {
        let ran = Atomic(false)
        #expect(ImmediateScheduler().schedule { ran.value = true } == nil)
        #expect(ran.value)
    }

    @Test func `a queue runs actions in order, and none that was disposed of`() {
        let queue = DispatchQueue(label: "target")
        let scheduler = QueueScheduler(targeting: queue)
        let seen = Recorded<Int>()
        queue.suspend()
        scheduler.schedule { seen.add(1) }
        let second = scheduler.schedule { seen.add(2) }
        scheduler.schedule { seen.add(3) }
        second?.dispose()
        queue.resume()
        scheduler.queue.sync {}

        #expect(seen.all == [1, 3])
    }

    @Test func `a timer of a queue runs until it is disposed of`() async {
        let scheduler = QueueScheduler()
        let (ticks, continuation) = AsyncStream<Date>.makeStream()
        let timer = scheduler.schedule(after: Date(), interval: .milliseconds(1), leeway: .seconds(0)) { continuation.yield(Date()) }
        var count = 0
        for await _ in ticks {
            count += 1
            if count == 3 { break }
        }
        timer?.dispose()
        #expect(count == 3)
        #expect(timer?.isDisposed == true)
    }

    @MainActor
    @Test func `the scheduler of the interface runs at once on the main queue unless something is pending`() async {
        let scheduler = UIScheduler()
        let seen = Recorded<Int>()
        #expect(scheduler.schedule { seen.add(1) } == nil)
        onThreads(1) { _ in scheduler.schedule { seen.add(2) } }
        let disposedOf = scheduler.schedule { seen.add(3) }
        disposedOf?.dispose()
        await withCheckedContinuation { continuation in
            #expect(scheduler.schedule { continuation.resume() } != nil)
            #expect(seen.all == [1])
        }

        #expect(seen.all == [1, 2])
    }

    @Test func `the test scheduler runs what is due, in the order of dates and then of scheduling`() {
        let scheduler = TestScheduler()
        let seen = Recorded<String>()
        scheduler.schedule(after: .seconds(2)) { seen.add("late at \(scheduler.currentDate.timeIntervalSinceReferenceDate)") }
        scheduler.schedule(after: .seconds(1)) {
            seen.add("early at \(scheduler.currentDate.timeIntervalSinceReferenceDate)")
            scheduler.schedule { seen.add("scheduled from inside") }
        }
        scheduler.schedule(after: .seconds(1)) { seen.add("second") }
        scheduler.schedule(after: .seconds(1)) { seen.add("disposed of") }?.dispose()
        scheduler.advance(by: .seconds(1))
        #expect(seen.all == ["early at 1.0", "second", "scheduled from inside"])
        scheduler.run()
        #expect(seen.all.last == "late at 2.0")
        #expect(scheduler.currentDate == .distantFuture)
    }

    @Test func `a timer sends dates until it is disposed of`() {
        let scheduler = TestScheduler()
        let (events, handle) = SignalProducer<Date, Never>.timer(interval: .seconds(1), on: scheduler)
            .map { $0.timeIntervalSinceReferenceDate }.recorded()
        scheduler.advance(by: .seconds(3))
        handle.dispose()
        scheduler.advance(by: .seconds(3))
        #expect(events.all == ["VALUE 1.0", "VALUE 2.0", "VALUE 3.0", "INTERRUPTED"])
    }
}
