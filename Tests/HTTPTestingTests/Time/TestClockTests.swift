// SPDX-License-Identifier: MIT

import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TestClockTests {
    @Test func `sleepers wake when their deadline has come, not before`() async throws {
        let clock = TestClock()
        let woken = EventRecorder<Int>()
        for seconds in [1, 2, 3] {
            Task {
                try await clock.sleep(for: .seconds(seconds))
                woken.record(seconds)
            }
        }

        #expect(try await clock.waitForSleeper(count: 3).sorted() == [.seconds(1), .seconds(2), .seconds(3)])
        clock.advance(by: .milliseconds(999))
        #expect(clock.remainingSleeps.count == 3)
        clock.advance(by: .milliseconds(1))
        #expect(try await woken.wait(for: 1) == [1])
        #expect(clock.advanceToNextDeadline() == .seconds(1))
        #expect(try await woken.wait(for: 2) == [1, 2])
        #expect(clock.remainingSleeps == [.seconds(1)])
        clock.advance(by: .seconds(10))

        #expect(try await woken.wait(for: 3) == [1, 2, 3])
        #expect(clock.now.offset == .seconds(12))
        #expect(clock.advanceToNextDeadline() == nil)
    }

    @Test func `a deadline that has passed is no sleep`() async throws {
        let clock = TestClock()
        clock.advance(by: .seconds(1))

        try await clock.sleep(until: .init(offset: .seconds(1)))
        try await clock.sleep(for: .zero)
    }

    @Test func `cancelling ends a sleep with an error and leaves no sleeper`() async throws {
        let clock = TestClock()
        let sleep = Task { try await clock.sleep(for: .seconds(1)) }
        try await clock.waitForSleeper()

        sleep.cancel()

        await #expect(throws: CancellationError.self) { try await sleep.value }
        #expect(clock.remainingSleeps.isEmpty)
    }

    @Test func `a wait for sleepers takes nobody else's sleep for theirs`() async throws {
        let clock = TestClock()
        let short = Task { try await clock.sleep(for: .seconds(1)) }
        try await clock.waitForSleeper()
        let long = Task { try await clock.sleep(for: .seconds(30)) }
        try await clock.waitForSleepers(remaining: [.seconds(1), .seconds(30)])
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers(remaining: [.seconds(29)])
        long.cancel()
        try await clock.waitForSleepers(remaining: [])
        try await short.value
    }
}
