// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The URLSession with what its transfers share; it outlives the transport while transfers run.
final class SessionLink: Sendable {
    private struct State {
        var isShutDown = false
        var isInvalidated = false
        /// Whether the session ends with the transport.
        var endsSession: Bool
        /// Transfers that have begun and may still make a task, which traps on a session that was invalidated.
        var makingCount = 0
        var transfers: [ObjectIdentifier: URLSessionTransfer] = [:]
    }

    let session: URLSession
    let delegate: URLSessionTransportDelegate
    let refusals: TransferRefusals
    let tls: TLSConfiguration
    let limits: TransportLimits
    let proxy: ProxyPolicy
    private let state: Locked<State>

    init(
        _ session: URLSession, delegate: URLSessionTransportDelegate, configuration: TransportConfiguration, sessionFault: String?,
        ownsSession: Bool
    ) {
        self.session = session
        self.delegate = delegate
        refusals = TransferRefusals(configuration, sessionFault: sessionFault)
        tls = configuration.tls
        limits = configuration.limits
        proxy = configuration.proxy
        state = Locked(State(endsSession: ownsSession))
    }

    /// - Returns: whether the transfer may make a task; if so, ``endMaking()`` must follow.
    func begin(_ transfer: URLSessionTransfer) -> Bool {
        let isInvalid = delegate.sessionIsInvalid
        return state.withLock { state in
            guard !state.isShutDown, !isInvalid else { return false }
            state.transfers[ObjectIdentifier(transfer)] = transfer
            state.makingCount += 1
            return true
        }
    }

    func endMaking() {
        state.withLock { $0.makingCount -= 1 }
        invalidateIfDone()
    }

    func end(_ transfer: URLSessionTransfer) {
        // Taken out of the lock before it is released: the last reference may go with it.
        let ended = state.withLock { $0.transfers.removeValue(forKey: ObjectIdentifier(transfer)) }
        _ = ended
    }

    func shutDown(cancellingTransfers: Bool) {
        let transfers = state.withLock { state in
            state.isShutDown = true
            return cancellingTransfers ? Array(state.transfers.values) : []
        }
        for transfer in transfers { transfer.cancel() }
        invalidateIfDone()
    }

    /// Shuts down, and has the session end with the last transfer even if it belongs to somebody else.
    func endSession() {
        state.withLock { $0.endsSession = true }
        shutDown(cancellingTransfers: true)
    }

    private func invalidateIfDone() {
        let invalidates = state.withLock { state in
            guard state.endsSession, state.isShutDown, state.makingCount == 0, !state.isInvalidated else { return false }
            state.isInvalidated = true
            return true
        }
        if invalidates { session.finishTasksAndInvalidate() }
    }
}
