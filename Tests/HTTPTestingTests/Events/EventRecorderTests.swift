// SPDX-License-Identifier: MIT

import HTTPTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventRecorderTests {
    @Test func `events from many tasks are all kept`() async throws {
        let recorder = EventRecorder<Int>()

        for number in 0..<100 { Task { recorder.record(number) } }

        #expect(try await recorder.wait(for: 100).sorted() == Array(0..<100))
    }

    @Test func `a wait ends when its condition holds`() async throws {
        let recorder = EventRecorder<String>()
        let waiting = Task { try await recorder.wait { $0.last == "end" } }

        recorder.record("start")
        recorder.record("end")

        #expect(try await waiting.value == ["start", "end"])
        #expect(recorder.removeAll() == ["start", "end"])
        #expect(recorder.events.isEmpty)
    }
}
