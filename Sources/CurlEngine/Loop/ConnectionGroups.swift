// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import HTTPMessages

/// A transport's multi handles: the one for all, and those of the identities that connections were logged in with.
final class ConnectionGroups: Sendable {
    private struct State {
        var identities: [ConnectionIdentity: (multi: MultiHandle, lastUse: UInt64)] = [:]
        var uses: UInt64 = 0
        var isShutDown = false
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

    /// Begins a transfer among the connections of `identity`; `nil` if the system has no descriptor or thread left.
    ///
    /// It is posted under the lock, so that the group is not given up in between; posting calls nobody.
    func start(_ identity: ConnectionIdentity, _ makeTransfer: (MultiHandle) -> Transfer) -> Transfer? {
        state.withLock { state in
            guard let multi = multi(of: identity, &state) else { return nil }
            let transfer = makeTransfer(multi)
            multi.loop.post(.start(transfer))
            return transfer
        }
    }

    private func multi(of identity: ConnectionIdentity, _ state: inout State) -> MultiHandle? {
        // Which refuses it.
        if state.isShutDown { return common }
        state.uses += 1
        if let known = state.identities[identity]?.multi {
            state.identities[identity]?.lastUse = state.uses
            return known
        }
        guard let loop = TransferLoop.assigned(for: identity.takesTickets ? .tickets : .general) else { return nil }
        if state.identities.count >= Self.identityLimit, let oldest = state.identities.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            state.identities[oldest.key] = nil
            oldest.value.multi.loop.post(.close(oldest.value.multi, cancellingTransfers: false))
        }
        let made = MultiHandle(loop: loop, settings: common.settings, counters: counters)
        state.identities[identity] = (made, state.uses)
        return made
    }

    /// Takes no more transfers, and closes the connections when those under way have ended.
    func close(cancellingTransfers: Bool) {
        let multis = state.withLock { state in
            defer { state.identities = [:] }
            state.isShutDown = true
            return [common] + state.identities.values.map(\.multi)
        }
        for multi in multis { multi.loop.post(.close(multi, cancellingTransfers: cancellingTransfers)) }
    }
}
#endif
