// SPDX-License-Identifier: MIT

import Foundation
public import HTTPMessages

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// The transport over Foundation's `URLSession`: the default on Apple platforms, and on Linux where the trait `Curl` is off.
///
/// Cookies, credentials, the cache, default fields, redirects and challenges are left to the session above. Time limits are kept here, so
/// that each ends in its own kind of error. Receivers are called on the `URLSession`'s delegate queue.
///
/// What URLSession cannot do ends the transfer with ``HTTPError/Kind/unsupportedByTransport``, nothing being sent:
///
/// | asked for | Apple platforms | Linux |
/// | --- | --- | --- |
/// | a trust policy that judges the host, authorities of one's own, a client certificate | yes (the certificate as PKCS#12) | refused |
/// | a proxy | HTTP, without credentials | refused; ``ProxyPolicy/environment`` works |
/// | TLS 1.3 only, or a greatest version | yes | refused |
/// | Unix-domain sockets, addresses by the caller, an interface | refused | refused |
/// | ``Timeouts/connect``, NTLM and Negotiate, HTTP/2 without TLS, HTTP/1.1 only over TLS | refused | refused |
/// | content with GET or HEAD | refused | refused |
/// | ``TransferOptions/decodesContent`` `false` | refused if the content is coded | refused if the content is coded |
/// | methods `get`, `head`, `post`, `put`, `delete`, `connect` in another case | yes | refused |
///
/// What URLSession on Linux does otherwise than ``HTTPTransport`` asks, and cannot be helped:
///
/// - Reading does not stop: after `.pause`, `.wait` or ``TransferControl/suspend()`` the response goes on and is held here, up to 64 MiB,
///   past which the transfer fails as unsupported. A transfer that is suspended before it begins does not begin.
/// - A body made of chunks or of several parts with files among them is read to its end before anything is sent, past 1 MiB into a
///   temporary file that only the user can read: all URLSessions of a process read bodies on one queue, where waiting for a chunk would
///   stop them all.
/// - A redirect's head and content come when its content is complete; a redirect without a usable `Location` comes without its content.
/// - Fields that may be repeated come joined, those whose names differ only in case may be lost, their order is not kept, and
///   the version of a response is given as HTTP/1.1 whatever it was. A head that is not UTF-8 fails the transfer.
/// - A request without content that is neither GET nor HEAD has `Content-Length: 0`. `User-Agent`, `Accept-Language` and `Connection`
///   are added where they are missing.
/// - **A response with trailer fields (RFC 9110, 6.5), and a connection that is closed within a head, end the process**:
///   FoundationNetworking traps (6.3.1, “Transfer completed, but there's no response”). It also traps if somebody else suspends or cancels
///   a task of the session while its end is being reported. Use CurlEngine with servers that are not trusted.
/// - There are no metrics.
public final class URLSessionTransport: HTTPTransport {
    private let link: SessionLink

    /// A transport over a `URLSession` of its own.
    ///
    /// `configuration` is copied. Its cookie storage and policy, credential storage, cache, additional fields and time limits do not count
    /// here: the session above applies them. A background configuration is not supported; every transfer then ends with an error.
    /// - Parameter transport: what it asks for beyond `configuration`; a number of connections other than the default of 6 takes
    ///   precedence.
    public convenience init(configuration: URLSessionConfiguration, transport: TransportConfiguration = TransportConfiguration()) {
        let delegate = Self.makeDelegate()
        let isBackground = configuration.identifier != nil
        let session = URLSession(
            configuration: isBackground ? .ephemeral : configuration.forTransport(transport), delegate: delegate,
            delegateQueue: DelegateQueue())
        self.init(
            SessionLink(
                session, delegate: delegate, configuration: transport,
                sessionFault: isBackground ? "a background configuration cannot be used; use URLSessionConfiguration.default" : nil,
                ownsSession: true))
    }

    /// A transport over a `URLSession` that belongs to the caller, who made it with a delegate from ``makeDelegate()``.
    ///
    /// The session is used as it is: cookies, credentials and a cache of its configuration work below, and besides, those of the session
    /// above. On Linux its cache is put behind one that answers at once, so that `configuration.urlCache` is another object afterwards. Its
    /// delegate queue must be serial, as Foundation makes it by default. The transport never invalidates it; once somebody else has,
    /// transfers end with ``HTTPError/Kind/shutDown``. With another delegate, or a queue that is not serial, every transfer ends with an
    /// error.
    /// - Parameter transport: what it asks for beyond the session's own configuration, such as a trust policy.
    public convenience init(session: URLSession, transport: TransportConfiguration = TransportConfiguration()) {
        let delegate = session.delegate as? URLSessionTransportDelegate
        var fault: String?
        if delegate == nil {
            fault = "the URLSession's delegate must be one that URLSessionTransport.makeDelegate() made"
        } else if session.delegateQueue.maxConcurrentOperationCount != 1 {
            fault = "the URLSession's delegate queue must be serial; set its maxConcurrentOperationCount to 1"
        }
        #if canImport(FoundationNetworking)
        if fault == nil { PromptCache.install(in: session) }
        #endif
        self.init(
            SessionLink(
                session, delegate: delegate ?? Self.makeDelegate(), configuration: transport, sessionFault: fault,
                ownsSession: false))
    }

    private init(_ link: SessionLink) { self.link = link }

    deinit { link.shutDown(cancellingTransfers: false) }

    /// A delegate for a `URLSession` that is to be passed to ``init(session:)``; one for each session.
    public static func makeDelegate() -> URLSessionTransportDelegate { URLSessionTransportDelegate() }

    /// The session that the tasks belong to.
    package var urlSession: URLSession { link.session }

    #if canImport(Darwin)
    /// Everything but Unix-domain sockets, addresses given by the caller, interim heads, trailers and what Foundation hides.
    public var capabilities: TransportCapabilities {
        [
            .unfollowedResponses, .serverTrust, .clientCertificates, .customAuthorities, .proxies, .http2, .backPressure, .streamedBodies,
            .metrics, .suspension,
        ]
    }
    /// The codings that URLSession undoes by itself.
    public var acceptedContentCodings: String? { Self.acceptedContentCodings }
    /// The same for every transport of this engine.
    package static let acceptedContentCodings: String? = "br;q=1.0, gzip;q=0.9, deflate;q=0.8"
    #else
    /// Little: see the list above.
    public var capabilities: TransportCapabilities { [.unfollowedResponses, .interimHeads] }
    /// The codings that any libcurl undoes; Foundation does not tell which others the system's knows.
    public var acceptedContentCodings: String? { Self.acceptedContentCodings }
    /// The same for every transport of this engine.
    package static let acceptedContentCodings: String? = "gzip;q=1.0, deflate;q=0.9"
    #endif

    /// As it was configured.
    public var proxy: ProxyPolicy { link.proxy }

    /// Begins a transfer; errors of every kind come through `receiver`.
    public func start(_ request: HTTPRequest, options: TransferOptions, receiver: any TransferReceiver) -> any TransferControl {
        let transfer = URLSessionTransfer(request, options: options, receiver: receiver, link: link)
        transfer.begin()
        return transfer
    }

    /// Refuses further transfers, and invalidates the `URLSession` when the last has ended, unless it belongs to the caller. On Linux its
    /// idle connections are closed when the transport is released.
    public func shutDown(cancellingTransfers: Bool) {
        link.shutDown(cancellingTransfers: cancellingTransfers)
    }

    /// Cancels all transfers and invalidates the `URLSession` after the last of them, whomever it belongs to. It must not be invalidated
    /// before: to make a task then is a trap, and so is, on Linux, a task that somebody else cancels at the wrong moment.
    package func endSession() { link.endSession() }
}
