// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Testing

/// Writes down what a receiver hears, checks the grammar of it, and lets a test wait for a part of it.
package final class TransferRecorder: TransferReceiver {
    package enum Event: Sendable, Equatable {
        case interimHead(Int)
        case head(Int)
        case content(Int)
        case end
    }

    private struct State: Sendable {
        var events: [Event] = []
        var progress: [TransferProgress] = []
        var head: HTTPResponseHead?
        var content = Data()
        var outcome: TransferOutcome?
        /// The test was cancelled, by its time limit: nobody waits any more.
        var isAbandoned = false
        var waiters: [(condition: @Sendable (Snapshot) -> Bool, resume: @Sendable (Bool) -> Void)] = []

        var snapshot: Snapshot {
            Snapshot(events: events, progress: progress, head: head, content: content, outcome: outcome)
        }
    }

    /// What has been heard so far.
    package struct Snapshot: Sendable {
        package let events: [Event]
        package let progress: [TransferProgress]
        package let head: HTTPResponseHead?
        package let content: Data
        package let outcome: TransferOutcome?
    }

    private let state = Locked(State())
    private let disposition: @Sendable (HTTPResponseHead) -> ContentDisposition
    private let demand: @Sendable (Data) -> ContentDemand

    package init(
        _ disposition: @escaping @autoclosure @Sendable () -> ContentDisposition = .collect(limit: 16 << 20),
        demand: @escaping @Sendable (Data) -> ContentDemand = { _ in .more }
    ) {
        self.disposition = { _ in disposition() }
        self.demand = demand
    }

    package init(decidingByHead disposition: @escaping @Sendable (HTTPResponseHead) -> ContentDisposition) {
        self.disposition = disposition
        demand = { _ in .more }
    }

    // MARK: TransferReceiver

    package func transferDidReceiveInterimHead(_ head: HTTPResponseHead) {
        record(.interimHead(head.status)) { #expect($0.head == nil, "an interim head comes before the final one") }
    }

    package func transferDidReceiveHead(_ head: HTTPResponseHead) -> ContentDisposition {
        record(.head(head.status)) { state in
            #expect(state.head == nil, "there is one final head")
            state.head = head
        }
        return disposition(head)
    }

    package func transferDidReceiveContent(_ bytes: Data) -> ContentDemand {
        record(.content(bytes.count)) { state in
            #expect(state.head != nil, "content comes behind the head")
            state.content.append(bytes)
        }
        return demand(bytes)
    }

    package func transferDidProgress(_ progress: TransferProgress) {
        change { state in
            #expect(state.outcome == nil, "nothing comes behind the end")
            state.progress.append(progress)
        }
    }

    package func transferDidFinish(_ outcome: TransferOutcome) {
        record(.end) { $0.outcome = outcome }
    }

    private func record(_ event: Event, _ also: (inout State) -> Void) {
        change { state in
            #expect(state.outcome == nil, "nothing comes behind the end, but \(event) did")
            state.events.append(event)
            also(&state)
        }
    }

    // MARK: Waiting

    package var snapshot: Snapshot { state.withLock { $0.snapshot } }

    /// Returns when what has been heard makes `condition` true, or the test is cancelled.
    package func wait(until condition: @escaping @Sendable (Snapshot) -> Bool) async {
        let onCancel: @Sendable () -> Void = { [self] in change { $0.isAbandoned = true } }
        _ = await awaitingCallback(onCancel: onCancel) { (callback: @escaping @Sendable (Bool) -> Void) in
            let isTrue = state.withLock { state in
                if state.isAbandoned || condition(state.snapshot) { return true }
                state.waiters.append((condition, callback))
                return false
            }
            if isTrue { callback(true) }
        }
    }

    /// Returns at the end, too: a transfer that breaks before is then seen to have failed.
    package func waitForHead() async { await wait { $0.head != nil || $0.outcome != nil } }

    package func outcome() async -> TransferOutcome {
        await wait { $0.outcome != nil }
        return state.withLock { $0.outcome } ?? TransferOutcome()
    }

    private func change(_ body: (inout State) -> Void) {
        let ready = state.withLock { state in
            body(&state)
            let snapshot = state.snapshot
            let isAbandoned = state.isAbandoned
            let ready = state.waiters.filter { isAbandoned || $0.condition(snapshot) }
            state.waiters.removeAll { isAbandoned || $0.condition(snapshot) }
            return ready
        }
        for waiter in ready { waiter.resume(true) }
    }
}
