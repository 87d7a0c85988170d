// SPDX-License-Identifier: MIT

/// What a transport is told about one transfer, besides the message.
public struct TransferOptions: Sendable {
    /// Its time limits.
    public var timeouts: Timeouts
    /// Whether ``TransferReceiver/transferDidProgress(_:)`` is called. Default: `false`.
    public var reportsProgress: Bool
    /// Whether content codings are undone; the session sets `Accept-Encoding` itself. Default: `true`.
    public var decodesContent: Bool
    /// The versions that may be used. Default: HTTP/1.1 for http, HTTP/2 where the server offers it for https.
    public var versions: HTTPVersionPolicy
    private var logIns: LogIns?
    /// From 0 (least) to 1, as `URLSessionTask.priority`. Default: 0.5.
    public var priority: Float
    /// What the server's certificates must be; for https, and only where ``TransportCapabilities/serverTrustChallenges`` says so. Default:
    /// whatever the configuration trusts.
    package var chainRequirement: ChainRequirement?

    /// The defaults.
    public init(
        timeouts: Timeouts = Timeouts(), reportsProgress: Bool = false, decodesContent: Bool = true,
        versions: HTTPVersionPolicy = .automatic, authentication: TransportAuthentication? = nil,
        proxyAuthentication: TransportAuthentication? = nil, priority: Float = 0.5
    ) {
        self.timeouts = timeouts
        self.reportsProgress = reportsProgress
        self.decodesContent = decodesContent
        self.versions = versions
        self.priority = priority
        // Most have none; a failing initialiser allocates before it fails.
        if authentication != nil || proxyAuthentication != nil { logIns = LogIns(authentication, proxyAuthentication) }
    }

    /// Out of line: few transfers have any, and options are copied several times for each.
    private final class LogIns: Sendable {
        let server: TransportAuthentication?
        let proxy: TransportAuthentication?

        init?(_ server: TransportAuthentication?, _ proxy: TransportAuthentication?) {
            if server == nil, proxy == nil { return nil }
            self.server = server
            self.proxy = proxy
        }
    }

    /// Credentials that the transport itself answers the server with, where ``TransportCapabilities/ntlm`` and
    /// ``TransportCapabilities/negotiate`` say so. Default: none.
    public var authentication: TransportAuthentication? {
        get { logIns?.server }
        set { logIns = LogIns(newValue, proxyAuthentication) }
    }
    /// Credentials that the transport itself answers the proxy with, on the way to a tunnel, too. Default: none.
    public var proxyAuthentication: TransportAuthentication? {
        get { logIns?.proxy }
        set { logIns = LogIns(authentication, newValue) }
    }
    /// Whether the transport is to log in by itself.
    package var logsIn: Bool { logIns != nil }
}

/// The time limits of one transfer, to the nanosecond and up to a hundred years; `nil` is none. Each ends in its own kind of ``HTTPError``.
public struct Timeouts: Sendable, Hashable {
    package private(set) var limits = Limits()

    /// As whole numbers, since they are handed on several times for every request.
    package struct Limits: Sendable, Hashable {
        package fileprivate(set) var connect = CompactDuration.none
        package fileprivate(set) var idle = CompactDuration.none
        package fileprivate(set) var resource = CompactDuration.none
    }

    /// The defaults of `URLSessionConfiguration`.
    public init(connect: Duration? = nil, idle: Duration? = .seconds(60), resource: Duration? = .seconds(604_800)) {
        self.connect = connect
        self.idle = idle
        self.resource = resource
    }

    /// For the name, the connection and the TLS handshake together. Default: none of its own, ``idle`` ends it.
    public var connect: Duration? {
        get { limits.connect.duration }
        set { limits.connect = CompactDuration(newValue) }
    }
    /// For the time in which no byte moves in either direction, `URLRequest.timeoutInterval`. Default: 60 s.
    public var idle: Duration? {
        get { limits.idle.duration }
        set { limits.idle = CompactDuration(newValue) }
    }
    /// For the whole transfer, `timeoutIntervalForResource`. Default: 7 days.
    public var resource: Duration? {
        get { limits.resource.duration }
        set { limits.resource = CompactDuration(newValue) }
    }
}

/// Which versions of HTTP a transfer may use.
public enum HTTPVersionPolicy: Sendable, Hashable {
    /// HTTP/1.1 for http; for https what ALPN settles, HTTP/2 preferred.
    case automatic
    /// HTTP/1.1 only.
    case http1Only
    /// HTTP/2 from the first byte, for http too (RFC 9113, 3.3).
    case http2PriorKnowledge
}

/// Schemes that belong to a connection, which only the transport can answer (NTLM; Negotiate, RFC 4559).
///
/// What was logged in with them is the connection: a transport uses it for transfers with equal credentials, for the server and for the
/// proxy, and for no others.
public struct TransportAuthentication: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The schemes.
    public enum Scheme: Sendable, Hashable {
        /// NTLM, with the credentials given here.
        case ntlm
        /// Negotiate. libcurl takes the identity from the process's ticket cache, whatever the user-id is.
        case negotiate
    }

    /// Which scheme to use.
    public var scheme: Scheme
    /// The user-id; for NTLM possibly `DOMAIN\\user`.
    public var user: String
    /// The password. It is never printed.
    public var password: String

    /// Credentials for `scheme`.
    public init(scheme: Scheme, user: String, password: String) {
        self.scheme = scheme
        self.user = user
        self.password = password
    }

    /// The scheme, nothing else.
    public var description: String { "\(scheme) (credentials redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["scheme": scheme]) }
}
