// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Synchronization

/// What a transport holds at a moment; tests look here for leaks.
package struct CurlEngineStatistics: Sendable, Hashable {
    /// Transfers that have begun and not ended.
    package var liveTransfers: Int
    /// Easy handles that work on a transfer.
    package var handlesInUse: Int
    /// Easy handles that wait for one.
    package var pooledHandles: Int
    /// Sockets that are open.
    package var openSockets: Int
    /// Sockets that were ever opened.
    package var connectionsOpened: Int
}

/// The counts as they are kept: written by the loop, read by anybody.
final class CurlEngineCounters: Sendable {
    let liveTransfers = Atomic<Int>(0)
    let handlesInUse = Atomic<Int>(0)
    let pooledHandles = Atomic<Int>(0)
    let openSockets = Atomic<Int>(0)
    let connectionsOpened = Atomic<Int>(0)

    var statistics: CurlEngineStatistics {
        CurlEngineStatistics(
            liveTransfers: liveTransfers.load(ordering: .relaxed), handlesInUse: handlesInUse.load(ordering: .relaxed),
            pooledHandles: pooledHandles.load(ordering: .relaxed), openSockets: openSockets.load(ordering: .relaxed),
            connectionsOpened: connectionsOpened.load(ordering: .relaxed))
    }
}
#endif
