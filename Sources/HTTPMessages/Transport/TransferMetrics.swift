// SPDX-License-Identifier: MIT

/// What one transfer cost; durations run from its start and are `nil` for what did not happen, as on a reused connection.
public struct TransferMetrics: Sendable, Hashable {
    /// Until the name was looked up.
    public var nameLookup: Duration?
    /// Until the connection stood.
    public var connect: Duration?
    /// Until the TLS handshake was done.
    public var tlsHandshake: Duration?
    /// Until the request was about to be sent.
    public var requestStart: Duration?
    /// Until the response's first byte arrived.
    public var firstByte: Duration?
    /// Until the end.
    public var total: Duration
    /// Bytes of the request's head.
    public var headBytesSent: Int64
    /// Bytes of the request's content.
    public var contentBytesSent: Int64
    /// Bytes of the response's heads.
    public var headBytesReceived: Int64
    /// Bytes of the response's content as they came, before content codings were undone.
    public var contentBytesReceived: Int64
    /// The version that was spoken, if a head arrived.
    public var version: HTTPVersion?
    /// Whether the connection had served another transfer before.
    public var reusedConnection: Bool
    /// The address that was connected to, and its port.
    public var remoteAddress: String?
    /// The port of ``remoteAddress``.
    public var remotePort: Int?
    /// The address that was connected from.
    public var localAddress: String?
    /// The port of ``localAddress``.
    public var localPort: Int?
    /// Whether the connection went through a proxy.
    public var usedProxy: Bool
    /// Why the system had no token for a server or proxy that asks for Negotiate, in its own words: there is no ticket, it has expired, the key
    /// distribution center does not know the service. The request then went without one, and 401 or 407 is the answer. It names realms, services and
    /// the ticket cache, and holds no secret.
    public var ticketProblem: String?

    /// Metrics with nothing measured but the total.
    public init(total: Duration) {
        self.total = total
        headBytesSent = 0
        contentBytesSent = 0
        headBytesReceived = 0
        contentBytesReceived = 0
        reusedConnection = false
        usedProxy = false
    }
}
