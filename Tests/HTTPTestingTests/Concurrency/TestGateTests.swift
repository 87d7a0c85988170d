// SPDX-License-Identifier: MIT

import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TestGateTests {
    @Test func `it lets through as many as released, first come first served`() async throws {
        let gate = TestGate()
        let passed = EventRecorder<Int>()
        for number in 1...3 {
            Task {
                try await gate.pass()
                passed.record(number)
            }
            try await gate.waitForWaiters(number)
        }

        gate.release()
        #expect(try await passed.wait(for: 1) == [1])
        #expect(gate.waiterCount == 2)
        gate.release(3)
        #expect(try await passed.wait(for: 3).sorted() == [1, 2, 3])
        try await gate.pass()
        #expect(gate.waiterCount == 0)
    }

    @Test func `open means open for good`() async throws {
        let gate = TestGate()
        let waiting = Task { try await gate.pass() }
        try await gate.waitForWaiters()

        gate.open()

        try await waiting.value
        try await gate.pass()
        try await TestGate(isOpen: true).pass()
    }

    @Test func `whoever is cancelled leaves the queue`() async throws {
        let gate = TestGate()
        let waiting = Task { try await gate.pass() }
        try await gate.waitForWaiters()

        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(gate.waiterCount == 0)
    }
}
