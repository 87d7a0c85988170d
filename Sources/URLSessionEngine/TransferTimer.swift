// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// The idle and the resource limit of one transfer, kept here since Foundation counts whole seconds on Linux and cannot tell the two apart.
final class TransferTimer: Sendable {
    enum Limit: Sendable {
        case idle
        case resource
    }

    private static let queue = DispatchQueue(label: "openmoya.urlsession-timers")

    private struct State: @unchecked Sendable {  // touched only under the lock
        var lastMovement: UInt64
        var source: (any DispatchSourceTimer)?
        var isOver = false
    }

    private let idle: UInt64?
    private let resourceDeadline: UInt64?
    private let state: Locked<State>

    init(_ timeouts: Timeouts) {
        let now = DispatchTime.now().uptimeNanoseconds
        idle = timeouts.idle.map(Self.nanoseconds)
        resourceDeadline = timeouts.resource.map { now &+ Self.nanoseconds($0) }
        state = Locked(State(lastMovement: now))
    }

    /// - Parameters:
    ///   - isWaiting: whether the transfer waits for something that is no fault of the network.
    ///   - onLimit: called at most once, on the timers' queue.
    func start(isWaiting: @escaping @Sendable () -> Bool, onLimit: @escaping @Sendable (Limit) -> Void) {
        guard idle != nil || resourceDeadline != nil else { return }
        let source = DispatchSource.makeTimerSource(queue: Self.queue)
        source.setEventHandler { [weak self] in
            guard let self else { return }
            if isWaiting() { movement() }
            if let limit = check() { onLimit(limit) }
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.source = source }
            return state.isOver
        }
        source.schedule(deadline: .distantFuture)
        source.resume()
        if isOver { source.cancel() } else { _ = check() }
    }

    /// A byte has moved, or nothing is expected to.
    func movement() {
        let now = DispatchTime.now().uptimeNanoseconds
        state.withLock { $0.lastMovement = now }
    }

    func stop() {
        let source = state.withLock { state in
            state.isOver = true
            defer { state.source = nil }
            return state.source
        }
        source?.cancel()
    }

    /// Sets the timer to the next moment at which a limit may be reached, or says which one is.
    private func check() -> Limit? {
        let (source, lastMovement) = state.withLock { ($0.source, $0.lastMovement) }
        guard let source else { return nil }
        let now = DispatchTime.now().uptimeNanoseconds
        if let resourceDeadline, now >= resourceDeadline { return .resource }
        let idleDeadline = idle.map { lastMovement &+ $0 }
        if let idleDeadline, now >= idleDeadline { return .idle }
        let next = min(idleDeadline ?? .max, resourceDeadline ?? .max)
        source.schedule(deadline: DispatchTime(uptimeNanoseconds: next), leeway: .milliseconds(1))
        return nil
    }

    /// At most a hundred years, so that no sum overflows.
    private static func nanoseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 3_155_760_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
