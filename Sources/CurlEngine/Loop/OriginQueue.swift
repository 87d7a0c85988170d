// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import HTTPMessages

/// The transfers to one origin: how many libcurl works on, and which wait for their turn.
///
/// libcurl would let them wait as well, but looks at all that wait whenever one ends; with ten thousand of them that costs more than the
/// requests. Here a turn costs the same however many wait.
final class OriginQueue {
    /// Transfers of one urgency, in order.
    private struct Lane {
        private var transfers: [Transfer?] = []
        private var next = 0

        mutating func append(_ transfer: Transfer) { transfers.append(transfer) }

        var storedCount: Int { transfers.count }

        mutating func popFirst() -> Transfer? {
            // A line that is never empty would grow with all that ever stood in it.
            if next > 64, next > transfers.count / 2 {
                transfers.removeFirst(next)
                next = 0
            }
            while next < transfers.count {
                let transfer = transfers[next]
                transfers[next] = nil
                next += 1
                if let transfer, transfer.isInLine { return transfer }
            }
            transfers.removeAll(keepingCapacity: true)
            next = 0
            return nil
        }

        /// Drops what left the line by itself.
        mutating func compact() {
            transfers = transfers[next...].filter { $0?.isInLine == true }
            next = 0
        }
    }

    /// Streams of one HTTP/2 connection: what most servers allow, and what libcurl makes of its own accord. When the server allows no more,
    /// libcurl opens other connections, and has transfers wait where it must not.
    private static let http2Streams = 100

    /// Scheme and authority as they stand in the URL.
    let name: String
    /// How the server is judged; `nil` if by libcurl alone.
    let trust: HostTrust?
    private(set) var activeCount = 0
    private let connectionLimit: Int
    private var limit: Int
    /// Urgent, normal, patient.
    private var lanes = [Lane(), Lane(), Lane()]
    private var inLineCount = 0
    private var leftCount = 0

    /// - Parameter limit: how many connections; as many transfers at a time, before it is known that the origin speaks HTTP/2.
    init(name: String, limit: Int, trust: HostTrust?) {
        self.name = name
        connectionLimit = limit
        self.limit = limit
        self.trust = trust
    }

    /// Whether nothing is under way and nothing waits.
    var isIdle: Bool { activeCount == 0 && inLineCount == 0 }

    /// Takes a place among the active ones, if one is free.
    func claimPlace() -> Bool {
        guard activeCount < limit else { return false }
        activeCount += 1
        return true
    }

    func releasePlace() { activeCount -= 1 }

    func join(_ transfer: Transfer, priority: Float) {
        lanes[priority > 0.5 ? 0 : priority < 0.5 ? 2 : 1].append(transfer)
        inLineCount += 1
    }

    /// A transfer that waits here does so no more; it must say so in ``Transfer/isInLine``.
    func hasLeft() {
        inLineCount -= 1
        leftCount += 1
        guard leftCount > 64, leftCount > inLineCount else { return }
        leftCount = 0
        for index in lanes.indices { lanes[index].compact() }
    }

    /// How many places of the line are kept in memory, those that were left included.
    var storedCount: Int { lanes.reduce(0) { $0 + $1.storedCount } }

    func nextInLine() -> Transfer? {
        for index in lanes.indices {
            if let transfer = lanes[index].popFirst() {
                inLineCount -= 1
                return transfer
            }
        }
        return nil
    }

    /// What its connections carry: with HTTP/2 many transfers at once. A server may speak another version after it was started anew.
    func speaks(_ version: HTTPVersion) {
        guard version >= .http2 else {
            limit = connectionLimit
            return
        }
        let (streams, isMore) = connectionLimit.multipliedReportingOverflow(by: Self.http2Streams)
        limit = isMore ? .max : streams
    }
}
#endif
