// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import HTTPMessages

/// When a transfer began and last moved, and which of its limits that reaches; times are nanoseconds of the loop's clock.
struct TransferTimes: Equatable {
    enum Limit { case connect, idle, resource }

    private let limits: Timeouts.Limits
    private var began: UInt64 = 0
    /// `nil` before libcurl has it, and once the connection stands.
    private var connecting: UInt64?
    private var lastActivity: UInt64 = 0
    private var bytesSent: Int64 = 0

    init(_ timeouts: Timeouts) { limits = timeouts.limits }

    /// Whether libcurl is still making the connection.
    var isConnecting: Bool { connecting != nil }

    mutating func begin(at now: UInt64) {
        began = now
        lastActivity = now
    }

    mutating func connectBegan(at now: UInt64) { connecting = now }

    mutating func connectionStands() { connecting = nil }

    /// The transfer waits for its turn again.
    mutating func connectionEnded() { connecting = nil }

    /// A byte moved, or time that had stood still runs again.
    mutating func activity(at now: UInt64) { lastActivity = now }

    /// libcurl sends on its own what it has of the content: that it got further is seen only by asking.
    mutating func note(bytesSent count: Int64, at now: UInt64) {
        guard count != bytesSent else { return }
        bytesSent = count
        lastActivity = now
    }

    /// The earliest time at which a limit may be reached; `nil` for never.
    func next(idleTimeRuns: Bool) -> UInt64? {
        let next = min(resourceTime, connectTime, idleTimeRuns ? idleTime : .max)
        return next == .max ? nil : next
    }

    /// The limit that is reached at `now`.
    func reached(idleTimeRuns: Bool, now: UInt64) -> Limit? {
        if resourceTime <= now { return .resource }
        if connectTime <= now { return .connect }
        return idleTimeRuns && idleTime <= now ? .idle : nil
    }

    private var resourceTime: UInt64 { limits.resource.nanoseconds.map { began + $0 } ?? .max }
    private var connectTime: UInt64 { limits.connect.nanoseconds.flatMap { limit in connecting.map { $0 + limit } } ?? .max }
    private var idleTime: UInt64 { limits.idle.nanoseconds.map { lastActivity + $0 } ?? .max }
}
#endif
