// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import HTTPMessages

/// A transport's multi handles: the one for all, and those of the identities that connections were logged in with.
final class ConnectionGroups: Sendable {
    private struct State {
        var identities: [ConnectionIdentity: (multi: MultiHandle, lastUse: UInt64)] = [:]
        /// Those that were given up, while transfers of theirs may be under way.
        var retired: [Retired] = []
        var uses: UInt64 = 0
        var isShutDown = false
    }

    /// Its loop holds it while it has connections, and its transfers do.
    private struct Retired {
        weak var multi: MultiHandle?
    }

    /// Whoever logs in as more users than that gives up the connections of the one used longest ago.
    private static let identityLimit = 32

    let common: MultiHandle
    let counters = CurlEngineCounters()
    // Any thread, under the lock.
    private let state = Locked(State())

    /// `nil` if the system has no descriptor or thread left.
    init?(_ settings: EngineSettings) {
        guard let loop = TransferLoop.assigned(for: .general) else { return nil }
        common = MultiHandle(loop: loop, settings: settings, counters: counters)
    }

    /// Where the connections of `identity` are; `nil` if the system has no descriptor or thread left.
    ///
    /// A group that is given up meanwhile still takes the transfer.
    func multi(of identity: ConnectionIdentity) -> MultiHandle? {
        let (found, retired) = state.withLock { state -> (MultiHandle?, MultiHandle?) in
            // Which refuses the transfer.
            if state.isShutDown { return (common, nil) }
            state.uses += 1
            if let known = state.identities[identity]?.multi {
                state.identities[identity]?.lastUse = state.uses
                return (known, nil)
            }
            guard let loop = TransferLoop.assigned(for: identity.takesTickets ? .tickets : .general) else { return (nil, nil) }
            var oldest: MultiHandle?
            if state.identities.count >= Self.identityLimit, let entry = state.identities.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                state.identities[entry.key] = nil
                state.retired.removeAll { $0.multi == nil }
                state.retired.append(Retired(multi: entry.value.multi))
                oldest = entry.value.multi
            }
            let made = MultiHandle(loop: loop, settings: common.settings, counters: counters)
            state.identities[identity] = (made, state.uses)
            return (made, oldest)
        }
        if let retired { retired.loop.post(.retire(retired)) }
        return found
    }

    /// Takes no more transfers, and closes the connections when those under way have ended.
    func close(cancellingTransfers: Bool) {
        let multis = state.withLock { state in
            defer { (state.identities, state.retired) = ([:], []) }
            state.isShutDown = true
            return [common] + state.identities.values.map(\.multi) + state.retired.compactMap(\.multi)
        }
        for multi in multis { multi.loop.post(.close(multi, cancellingTransfers: cancellingTransfers)) }
    }
}
#endif
