// SPDX-License-Identifier: MIT

/// Holds back whoever arrives until the test lets them through: some at a time with ``release(_:)``, or all with ``open()``.
///
/// A ``TestServer`` stalls a response on a gate, and a test's own asynchronous code waits with ``pass()``. The first to arrive is the
/// first let through.
public final class TestGate: Sendable {
    private struct Waiter: Sendable {
        let id: UInt64
        let letThrough: @Sendable () -> Void
    }

    private struct State: Sendable {
        var isOpen: Bool
        var permits = 0
        var nextID: UInt64 = 0
        var waiters: [Waiter] = []
    }

    private let state: Watched<State>

    /// A gate, closed unless told otherwise.
    public init(isOpen: Bool = false) {
        state = Watched(State(isOpen: isOpen))
    }

    /// Lets everyone through who waits, and everyone who comes later.
    public func open() {
        let waiters = state.change { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.letThrough() }
    }

    /// Lets `count` through; those who have not arrived yet find the gate open once each.
    public func release(_ count: Int = 1) {
        let waiters = state.change { state -> [Waiter] in
            guard !state.isOpen else { return [] }
            let now = min(count, state.waiters.count)
            let released = Array(state.waiters.prefix(now))
            state.waiters.removeFirst(now)
            state.permits += count - now
            return released
        }
        for waiter in waiters { waiter.letThrough() }
    }

    /// How many are held back at this moment.
    public var waiterCount: Int { state.read { $0.waiters.count } }

    /// Waits to be let through.
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    public func pass() async throws {
        guard let ticket = arrive(whenLetThrough: {}) else { return }
        do {
            try await state.wait { state in !state.waiters.contains { $0.id == ticket } }
        } catch {
            leave(ticket)
            throw error
        }
    }

    /// Returns when at least `count` are held back at the same time.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForWaiters(_ count: Int = 1) async throws {
        try await state.wait { $0.waiters.count >= count }
    }

    /// Joins the queue and returns the ticket for it, or nil if the gate let the caller through at once.
    ///
    /// `action` runs once, on the thread that opens the gate, unless ``leave(_:)`` comes first.
    func arrive(whenLetThrough action: @escaping @Sendable () -> Void) -> UInt64? {
        state.change { state in
            if state.isOpen { return nil }
            if state.permits > 0 {
                state.permits -= 1
                return nil
            }
            state.nextID += 1
            state.waiters.append(Waiter(id: state.nextID, letThrough: action))
            return state.nextID
        }
    }

    /// Gives up waiting; without effect for somebody who was let through.
    func leave(_ ticket: UInt64) {
        state.change { state in state.waiters.removeAll { $0.id == ticket } }
    }
}
