// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPTesting

@Suite(.timeLimit(.minutes(1)))
struct WatchedTests {
    @Test func `a wait returns what it found, even if that was true for a moment only`() async throws {
        let number = Watched(0)
        let asked = EventRecorder<Void>()
        let waiting = Task {
            try await number.wait { state -> Int? in
                asked.record(())
                return state > 0 ? state : nil
            }
        }
        _ = try await asked.wait(for: 1)

        number.change { $0 = 7 }
        number.change { $0 = 0 }

        #expect(try await waiting.value == 7)
    }

    @Test func `a wait that is cancelled ends, and nobody waits any more`() async throws {
        let number = Watched(0)
        let asked = EventRecorder<Void>()
        let waiting = Task {
            try await number.wait { state -> Int? in
                asked.record(())
                return state > 0 ? state : nil
            }
        }
        _ = try await asked.wait(for: 1)

        waiting.cancel()

        await #expect(throws: CancellationError.self) { try await waiting.value }
        number.change { $0 = 1 }
        #expect(asked.events.count == 1)
    }
}
