// SPDX-License-Identifier: MIT

/// A clock that stands still until the test moves it.
///
/// Code under test sleeps on it as on any `Clock`; the test waits for the sleeper, then moves time:
/// ```swift
/// try await clock.waitForSleeper()
/// clock.advance(by: .seconds(5))
/// ```
public final class TestClock: Clock, Sendable {
    /// A point in time, counted from the clock's making.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the clock was made.
        public var offset: Swift.Duration

        /// The point `offset` after the clock was made.
        public init(offset: Swift.Duration = .zero) {
            self.offset = offset
        }

        /// The point `duration` later.
        public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time from here to `other`; negative if that is earlier.
        public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

        /// Whether `left` is earlier than `right`.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

        /// The time since the clock was made, in words.
        public var description: String { "\(offset)" }
    }

    private struct Sleeper: Sendable {
        let id: UInt64
        let deadline: Instant
    }

    private struct State: Sendable {
        var now = Instant()
        var nextID: UInt64 = 0
        var sleepers: [Sleeper] = []
    }

    private let state = Watched(State())

    /// A clock that shows zero.
    public init() {}

    /// The time as the test has set it.
    public var now: Instant { state.read { $0.now } }

    /// Zero: sleepers wake exactly at their deadline.
    public var minimumResolution: Swift.Duration { .zero }

    /// Returns when the test has moved the clock to `deadline` or past it; at once if it is there already. The tolerance is not used.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.change { state -> UInt64? in
            guard state.now < deadline else { return nil }
            state.nextID += 1
            state.sleepers.append(Sleeper(id: state.nextID, deadline: deadline))
            return state.nextID
        }
        guard let id else { return }
        do {
            try await state.wait { state in !state.sleepers.contains { $0.id == id } }
        } catch {
            state.change { state in state.sleepers.removeAll { $0.id == id } }
            throw error
        }
    }

    /// Moves time forward and wakes those whose deadline has come. They run when their tasks get to it: wait for what they do next.
    public func advance(by duration: Swift.Duration) {
        precondition(duration >= .zero, "time does not run backwards")
        state.change { state in
            let now = state.now.advanced(by: duration)
            state.now = now
            state.sleepers.removeAll { $0.deadline <= now }
        }
    }

    /// Moves time to the earliest deadline that somebody sleeps for and wakes those who sleep for it.
    /// - Returns: how far time moved; nil if nobody sleeps.
    @discardableResult
    public func advanceToNextDeadline() -> Swift.Duration? {
        state.change { state in
            guard let deadline = state.sleepers.map(\.deadline).min() else { return nil }
            defer {
                state.now = deadline
                state.sleepers.removeAll { $0.deadline <= deadline }
            }
            return state.now.duration(to: deadline)
        }
    }

    /// For how long each of the sleepers will still sleep, in the order in which they went to sleep.
    public var remainingSleeps: [Swift.Duration] {
        state.read { state in state.sleepers.map { state.now.duration(to: $0.deadline) } }
    }

    /// Returns when at least `count` sleep at the same time: one, unless told otherwise.
    /// - Returns: for how long each will still sleep, in the order in which they went to sleep.
    /// - Throws: `CancellationError` when the task is cancelled first.
    @discardableResult
    public func waitForSleeper(count: Int = 1) async throws -> [Swift.Duration] {
        try await state.wait { $0.sleepers.count >= count }
        return remainingSleeps
    }

    /// Returns when those who sleep will sleep for exactly these durations yet, in the order in which they went to sleep.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForSleepers(remaining: [Swift.Duration]) async throws {
        try await state.wait { state in state.sleepers.map { state.now.duration(to: $0.deadline) } == remaining }
    }
}
