// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

/// A libcurl multi handle: connections, pooled easy handles and the lines in front of origins.
///
/// A transport has one for all that is not bound to a connection, and one for each ``ConnectionIdentity``.
///
/// Everything in here belongs to the loop's thread, except the constants.
final class MultiHandle: @unchecked Sendable {  // all but the constants is touched on the loop's thread only
    private enum Life { case open, closing, closed }
    /// Origins that are remembered while nothing is sent to them.
    private static let rememberedOrigins = 256

    // Any thread.
    let loop: TransferLoop
    let settings: EngineSettings
    let counters: CurlEngineCounters
    /// The field lines of the request that was prepared last.
    let latestFields = Locked<FieldBlock?>(nil)

    // Loop thread only.
    /// Whether the loop will ask it for finished transfers.
    var isActive = false
    var verdicts = TrustVerdicts()
    /// How often libcurl was called to do its work; each time it also begins what it was given since.
    private(set) var turnCount = 0
    private var multi: UnsafeMutableRawPointer?
    private var slot = -1
    private var life = Life.open
    private var isRetired = false
    private var pool = EasyHandlePool()
    /// What of the pool stands in the counters, which other multi handles of the transport add to as well.
    private var countedHandles = (pooled: 0, inUse: 0)
    private var liveCount = 0
    private var origins: [String: OriginQueue] = [:]
    /// With how many it looks for those to forget.
    private var mostOrigins = rememberedOrigins
    private var latestOrigin: OriginQueue?

    init(loop: TransferLoop, settings: EngineSettings, counters: CurlEngineCounters) {
        self.loop = loop
        self.settings = settings
        self.counters = counters
    }

    // MARK: Transfers

    /// Takes a transfer in, which must report its end with ``transferEnded()``.
    /// - Returns: why it cannot be sent, if it cannot.
    func accept(_ transfer: Transfer) -> HTTPError? {
        liveCount += 1
        counters.liveTransfers.add(1, ordering: .relaxed)
        guard life == .open else {
            return transfer.error(.shutDown, "the session is shut down; make another one")
        }
        if let problem = settings.problem { return transfer.error(problem.kind, problem.reason) }
        guard multi != nil || openMulti() else { return transfer.error(.other, "there is no memory left for connections") }
        transfer.origin = origin(of: transfer)
        return nil
    }

    func transferEnded() {
        liveCount -= 1
        counters.liveTransfers.subtract(1, ordering: .relaxed)
        destroyIfUnused()
    }

    /// Begins the transfer if its origin has a place free, else puts it at the end of the line.
    func enqueue(_ transfer: Transfer) {
        guard let origin = transfer.origin else { return }
        guard origin.claimPlace() else {
            transfer.isInLine = true
            return origin.join(transfer, priority: transfer.options.priority)
        }
        send(transfer)
    }

    /// Takes the transfer's easy handle from libcurl, or takes it out of the line; what waits may then begin.
    func detach(_ transfer: Transfer) {
        guard let origin = transfer.origin else { return }
        if transfer.isInLine {
            transfer.isInLine = false
            origin.hasLeft()
        }
        guard let handle = transfer.handle else { return }
        transfer.handle = nil
        curl_multi_remove_handle(multi, handle.easy)
        handle.transfer = nil
        pool.give(handle)
        countHandles()
        origin.releasePlace()
        admitWaiting(to: origin)
    }

    private func send(_ transfer: Transfer) {
        guard transfer.turnCame() else {
            transfer.origin?.releasePlace()
            return
        }
        guard let handle = pool.take(new: transfer.options.logsIn) ?? EasyHandle(multi: self) else {
            transfer.origin?.releasePlace()
            return transfer.abort(transfer.error(.other, "there is no memory left for another transfer"))
        }
        handle.transfer = transfer
        transfer.handle = handle
        countHandles()
        var failure = transfer.failure ?? handle.apply(transfer)
        if failure == nil, curl_multi_add_handle(multi, handle.easy) != CURLM_OK {
            failure = transfer.error(.other, "libcurl does not take another transfer")
        }
        if let failure { transfer.abort(failure) }
    }

    private func admitWaiting(to origin: OriginQueue) {
        while life != .closed, origin.claimPlace() {
            guard let next = origin.nextInLine() else { return origin.releasePlace() }
            next.isInLine = false
            send(next)
        }
    }

    private func countHandles() {
        counters.pooledHandles.add(pool.count - countedHandles.pooled, ordering: .relaxed)
        counters.handlesInUse.add(pool.takenCount - countedHandles.inUse, ordering: .relaxed)
        countedHandles = (pool.count, pool.takenCount)
    }

    private func origin(of transfer: Transfer) -> OriginQueue {
        if let latestOrigin, transfer.prepared.isFor(latestOrigin) { return latestOrigin }
        let name = transfer.prepared.originName
        let found =
            origins[name]
            ?? {
                if origins.count >= mostOrigins {
                    origins = origins.filter { !$0.value.isIdle }
                    // Looking at thousands that are busy, for each new one, would take longer than the requests.
                    mostOrigins = max(Self.rememberedOrigins, 2 * origins.count)
                }
                let limit = settings.configuration.connectionsPerOrigin
                let trust = transfer.prepared.isSecure ? settings.trust(forHost: transfer.prepared.host) : nil
                let made = OriginQueue(name: name, limit: limit > 0 ? limit : .max, trust: trust)
                origins[name] = made
                return made
            }()
        if transfer.versions == .http2PriorKnowledge { found.speaks(.http2) }
        latestOrigin = found
        return found
    }

    // MARK: libcurl

    private func openMulti() -> Bool {
        guard let multi = curl_multi_init() else { return false }
        self.multi = multi
        slot = loop.add(self)
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, pointer)
        ccurl_multi_set_socket_callback(multi) { _, descriptor, action, pointer, _ in
            guard let pointer else { return 0 }
            let multi = Unmanaged<MultiHandle>.fromOpaque(pointer).takeUnretainedValue()
            let reading = action == CURL_POLL_IN || action == CURL_POLL_INOUT
            let writing = action == CURL_POLL_OUT || action == CURL_POLL_INOUT
            multi.loop.watch(descriptor, for: multi, reading: reading, writing: writing)
            return 0
        }
        ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, pointer)
        ccurl_multi_set_timer_callback(multi) { _, milliseconds, pointer in
            guard let pointer else { return 0 }
            let multi = Unmanaged<MultiHandle>.fromOpaque(pointer).takeUnretainedValue()
            multi.loop.setTimer(milliseconds < 0 ? nil : milliseconds, for: multi.slot)
            return 0
        }
        ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, max(0, settings.configuration.connectionsPerOrigin))
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, settings.configuration.idleConnections))
        return true
    }

    func socketIsReady(_ event: SocketPoller.Event) {
        let mask =
            (event.isReadable ? CURL_CSELECT_IN : 0) | (event.isWritable ? CURL_CSELECT_OUT : 0) | (event.hasFailed ? CURL_CSELECT_ERR : 0)
        act(on: event.descriptor, mask)
    }

    func timerIsDue() { act(on: CURL_SOCKET_TIMEOUT, 0) }

    private func act(on descriptor: curl_socket_t, _ mask: Int32) {
        guard let multi else { return }
        turnCount &+= 1
        var running: Int32 = 0
        curl_multi_socket_action(multi, descriptor, mask, &running)
    }

    /// Ends the transfers that libcurl is done with.
    func collectFinished() {
        var code = CURLE_OK
        while let multi, let easy = ccurl_multi_next_finished(multi, &code) {
            guard let transfer = EasyHandle.behind(easy)?.transfer else { continue }
            transfer.engineEnded(code)
        }
    }

    func socketWasOpened(_ descriptor: Int32) {
        loop.socketWasOpened(descriptor, for: self)
        counters.connectionsOpened.add(1, ordering: .relaxed)
        counters.openSockets.add(1, ordering: .relaxed)
    }

    func socketWillClose(_ descriptor: Int32) {
        loop.socketWillClose(descriptor)
        counters.openSockets.subtract(1, ordering: .relaxed)
        verdicts.forget(descriptor)
    }

    // MARK: The end

    /// Takes no more transfers, and goes away when those under way have ended.
    func close() {
        if life == .open { life = .closing }
        destroyIfUnused()
    }

    /// Closes its connections whenever no transfer is under way: nobody will come back for them, except who was on the way already.
    func retire() {
        isRetired = true
        destroyIfUnused()
    }

    private func destroyIfUnused() {
        guard life == .closing || isRetired, liveCount == 0 else { return }
        if life == .closing { life = .closed }
        pool.drain()
        countHandles()
        latestOrigin = nil
        origins = [:]
        guard let multi else { return }
        curl_multi_cleanup(multi)
        self.multi = nil
        loop.removeMulti(self, slot)
    }
}
#endif
