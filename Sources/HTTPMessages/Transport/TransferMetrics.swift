// SPDX-License-Identifier: MIT

/// What one transfer cost; durations run from its start, to the nanosecond, and are `nil` for what did not happen, as on a reused
/// connection.
public struct TransferMetrics: Sendable, Hashable {
    package var times = Times()
    /// Bytes of the request's head.
    public var headBytesSent: Int64 = 0
    /// Bytes of the request's content.
    public var contentBytesSent: Int64 = 0
    /// Bytes of the response's heads.
    public var headBytesReceived: Int64 = 0
    /// Bytes of the response's content as they came, before content codings were undone.
    public var contentBytesReceived: Int64 = 0
    /// The address that was connected to, and its port.
    public var remoteAddress: String?
    /// The address that was connected from.
    public var localAddress: String?
    private var remotePortNumber: Int32 = -1
    private var localPortNumber: Int32 = -1
    /// The version that was spoken, if a head arrived.
    public var version: HTTPVersion?
    /// Whether the connection had served another transfer before.
    public var reusedConnection = false
    /// Whether the connection went through a proxy.
    public var usedProxy = false
    private var ticketWords: TicketWords?

    /// Metrics with nothing measured but the total.
    public init(total: Duration) {
        self.total = total
    }

    /// As whole numbers: metrics are handed on several times for every request, and `Duration?` is three times as large.
    package struct Times: Sendable, Hashable {
        package var nameLookup = CompactDuration.none
        package var connect = CompactDuration.none
        package var tlsHandshake = CompactDuration.none
        package var requestStart = CompactDuration.none
        package var firstByte = CompactDuration.none
        package var total = CompactDuration.none
    }

    /// Until the name was looked up.
    public var nameLookup: Duration? {
        get { times.nameLookup.duration }
        set { times.nameLookup = CompactDuration(newValue) }
    }
    /// Until the connection stood.
    public var connect: Duration? {
        get { times.connect.duration }
        set { times.connect = CompactDuration(newValue) }
    }
    /// Until the TLS handshake was done.
    public var tlsHandshake: Duration? {
        get { times.tlsHandshake.duration }
        set { times.tlsHandshake = CompactDuration(newValue) }
    }
    /// Until the request was about to be sent.
    public var requestStart: Duration? {
        get { times.requestStart.duration }
        set { times.requestStart = CompactDuration(newValue) }
    }
    /// Until the response's first byte arrived.
    public var firstByte: Duration? {
        get { times.firstByte.duration }
        set { times.firstByte = CompactDuration(newValue) }
    }
    /// Until the end.
    public var total: Duration {
        get { times.total.duration ?? .zero }
        set { times.total = CompactDuration(newValue) }
    }
    /// Why the system had no token for a server or proxy that asks for Negotiate, in its own words: there is no ticket, it has expired, the
    /// key distribution center does not know the service. The request then went without one, and 401 or 407 is the answer. It names realms,
    /// services and the ticket cache, and holds no secret.
    public var ticketProblem: String? {
        get { ticketWords?.text }
        set { ticketWords = newValue.map { TicketWords($0) } }
    }
    /// The port of ``remoteAddress``.
    public var remotePort: Int? {
        get { remotePortNumber < 0 ? nil : Int(remotePortNumber) }
        set { remotePortNumber = newValue.map { Int32(clamping: $0) } ?? -1 }
    }
    /// The port of ``localAddress``.
    public var localPort: Int? {
        get { localPortNumber < 0 ? nil : Int(localPortNumber) }
        set { localPortNumber = newValue.map { Int32(clamping: $0) } ?? -1 }
    }

    /// Out of line, since few transfers have any.
    private final class TicketWords: Sendable, Hashable {
        let text: String

        init(_ text: String) { self.text = text }

        static func == (left: TicketWords, right: TicketWords) -> Bool { left.text == right.text }

        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
}
