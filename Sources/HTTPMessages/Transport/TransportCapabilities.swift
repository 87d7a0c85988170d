// SPDX-License-Identifier: MIT

/// What a transport can do; tests name what they need in these words.
public struct TransportCapabilities: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt32
    /// Capabilities by their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Redirects and challenges come through to the session.
    public static let unfollowedResponses = TransportCapabilities(rawValue: 1 << 0)
    /// A server's certificate chain can be judged by the caller, before a byte of the request is sent.
    public static let serverTrust = TransportCapabilities(rawValue: 1 << 1)
    /// Client certificates.
    public static let clientCertificates = TransportCapabilities(rawValue: 1 << 2)
    /// Certificate authorities of the caller's own.
    public static let customAuthorities = TransportCapabilities(rawValue: 1 << 3)
    /// HTTP and SOCKS5 proxies.
    public static let proxies = TransportCapabilities(rawValue: 1 << 4)
    /// Unix-domain sockets.
    public static let unixSockets = TransportCapabilities(rawValue: 1 << 5)
    /// A host's address given by the caller.
    public static let customResolve = TransportCapabilities(rawValue: 1 << 6)
    /// HTTP/2.
    public static let http2 = TransportCapabilities(rawValue: 1 << 7)
    /// Reading stops when the receiver asks for no more.
    public static let backPressure = TransportCapabilities(rawValue: 1 << 8)
    /// Bodies of unknown length, and bodies that are made while they are sent.
    public static let streamedBodies = TransportCapabilities(rawValue: 1 << 9)
    /// ``TransferMetrics``.
    public static let metrics = TransportCapabilities(rawValue: 1 << 10)
    /// Interim heads are reported.
    public static let interimHeads = TransportCapabilities(rawValue: 1 << 11)
    /// Trailer fields are reported.
    public static let trailers = TransportCapabilities(rawValue: 1 << 12)
    /// Broken framing is told apart: conflicting lengths, bad chunks, an oversized head.
    public static let strictFraming = TransportCapabilities(rawValue: 1 << 13)
    /// NTLM's log-ins of a connection.
    public static let ntlm = TransportCapabilities(rawValue: 1 << 14)
    /// A method that is any token, and every field that a request may have.
    public static let arbitraryRequests = TransportCapabilities(rawValue: 1 << 15)
    /// A time limit for connecting of its own.
    public static let connectTimeout = TransportCapabilities(rawValue: 1 << 16)
    /// A transfer that is suspended stops moving bytes.
    public static let suspension = TransportCapabilities(rawValue: 1 << 17)
    /// A server's chain can be shown to the caller, who decides later, before anything is sent.
    public static let serverTrustChallenges = TransportCapabilities(rawValue: 1 << 18)
    /// Negotiate, with the system's tickets (RFC 4559).
    public static let negotiate = TransportCapabilities(rawValue: 1 << 19)
    /// ``ntlm`` and ``negotiate``.
    public static let transportAuthentication: TransportCapabilities = [.ntlm, .negotiate]
}
