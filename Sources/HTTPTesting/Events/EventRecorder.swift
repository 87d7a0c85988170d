// SPDX-License-Identifier: MIT

/// Collects events from any thread in the order in which they come, for a test to compare as a whole.
///
/// ```swift
/// #expect(try await recorder.wait(for: 3) == [.started, .progressed, .finished])
/// ```
public final class EventRecorder<Event: Sendable>: Sendable {
    private let recorded = Watched<[Event]>([])

    /// A recorder without events.
    public init() {}

    /// Adds an event. May be called on any thread.
    public func record(_ event: Event) {
        recorded.change { $0.append(event) }
    }

    /// The events so far.
    public var events: [Event] { recorded.read { $0 } }

    /// Returns when there are at least `count` events, with all of them: one too many shows in the comparison.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func wait(for count: Int) async throws -> [Event] {
        try await wait { $0.count >= count }
    }

    /// Returns when the events fulfil a condition, with all of them. The condition must not call out.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func wait(until condition: @escaping @Sendable ([Event]) -> Bool) async throws -> [Event] {
        try await recorded.wait(until: condition)
        return events
    }

    /// Takes all events away and returns them.
    @discardableResult
    public func removeAll() -> [Event] {
        recorded.change { events in
            defer { events = [] }
            return events
        }
    }
}
