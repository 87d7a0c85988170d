// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import HTTPMessages

/// Sends requests with libcurl: HTTP/1.1 and HTTP/2, without following redirects or answering challenges.
///
/// Connections are shared by the transfers of one transport and by no others. Those that NTLM or Negotiate has logged in, and tunnels that
/// a proxy has opened for credentials, are shared by transfers with equal credentials only; the former speak HTTP/1.1.
///
/// All transports of a process work on one thread, and on a second one for transfers with Negotiate, which may have to wait for tickets; a
/// transfer's receiver is called on the one that it is on. A transport that is let go of closes its connections when its last transfer has
/// ended.
///
/// A configuration that cannot be used, such as a client certificate that libcurl refuses, fails each transfer with an error that says so.
public final class CurlTransport: HTTPTransport {
    private let groups: ConnectionGroups?
    /// As it was configured.
    public let proxy: ProxyPolicy

    /// A transport with connections of its own; nothing is opened before the first transfer.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {
        proxy = configuration.proxy
        groups = ConnectionGroups(EngineSettings(configuration))
    }

    deinit {
        groups?.close(cancellingTransfers: false)
    }

    /// Everything; HTTP/2, Unix-domain sockets, NTLM and Negotiate as libcurl was built.
    public var capabilities: TransportCapabilities {
        let features = CurlFeatures.current
        var capabilities: TransportCapabilities = [
            .unfollowedResponses, .serverTrust, .clientCertificates, .customAuthorities, .proxies, .customResolve, .backPressure,
            .streamedBodies, .metrics, .interimHeads, .trailers, .strictFraming, .arbitraryRequests, .connectTimeout, .suspension,
            .serverTrustChallenges,
        ]
        if features.hasHTTP2 { capabilities.insert(.http2) }
        if features.hasUnixSockets { capabilities.insert(.unixSockets) }
        if features.hasNTLM { capabilities.insert(.ntlm) }
        if features.hasNegotiate { capabilities.insert(.negotiate) }
        return capabilities
    }

    /// The content codings of the libcurl in use, Brotli and gzip usually among them.
    public var acceptedContentCodings: String? { Self.acceptedContentCodings }

    /// The same for every transport of this engine.
    package static var acceptedContentCodings: String? { CurlFeatures.current.acceptedContentCodings }

    /// Begins a transfer on the loop's thread; see ``HTTPTransport/start(_:options:receiver:)``.
    public func start(_ request: HTTPRequest, options: TransferOptions, receiver: any TransferReceiver) -> any TransferControl {
        guard let groups else { return UnstartedTransfer(request, receiver: receiver) }
        let usesProxies = groups.common.settings.proxies.areUsed
        // Asked first, since few are: an identity takes copies.
        if options.logsIn || usesProxies, let identity = ConnectionIdentity(request, options, usesProxies: usesProxies) {
            guard let multi = groups.multi(of: identity) else { return UnstartedTransfer(request, receiver: receiver) }
            return start(request, options, receiver, by: multi)
        }
        return start(request, options, receiver, by: groups.common)
    }

    private func start(
        _ request: HTTPRequest, _ options: TransferOptions, _ receiver: any TransferReceiver, by multi: MultiHandle
    ) -> Transfer {
        let transfer = Transfer(request, options: options, receiver: receiver, multi: multi)
        multi.loop.post(.start(transfer))
        return transfer
    }

    /// Refuses further transfers and closes the connections once those under way have ended; may be called more than once.
    public func shutDown(cancellingTransfers: Bool) {
        groups?.close(cancellingTransfers: cancellingTransfers)
    }

    package var statistics: CurlEngineStatistics {
        (groups?.counters ?? CurlEngineCounters()).statistics
    }
}

/// What a transport without a loop answers: the system had no descriptor or thread left for one.
private final class UnstartedTransfer: TransferControl {
    init(_ request: HTTPRequest, receiver: any TransferReceiver) {
        let error = HTTPError(
            .other, attempting: request.redactedDescription,
            "the system has no file descriptor or thread left for the transfer loop; raise the limits, or close what is not needed")
        DispatchQueue.global().async { receiver.transferDidFinish(TransferOutcome(error: error)) }
    }

    func cancel() {}
    func suspend() {}
    func resume() {}
    func decide(_ disposition: ContentDisposition) {}
    func requestMoreContent() {}
}
#endif
