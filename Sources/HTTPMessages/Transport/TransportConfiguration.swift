// SPDX-License-Identifier: MIT

import Foundation

/// What a transport is told once, for all of its transfers.
public struct TransportConfiguration: Sendable {
    /// How TLS is done. Default: verified against the system's authorities, version 1.2 or newer.
    public var tls = TLSConfiguration()
    /// Which proxy is used. Default: none.
    public var proxy = ProxyPolicy.none
    /// Connections to one origin at the same time; further transfers wait. Default: 6, as `httpMaximumConnectionsPerHost`; 0 sets no limit.
    /// An HTTP/2 connection carries 100 transfers, or fewer if the server says so, before others are opened.
    /// Those that users were logged in on (``TransportAuthentication``) are counted user by user.
    public var connectionsPerOrigin = 6
    /// Idle connections that are kept. Default: 100.
    public var idleConnections = 100
    /// The path of a Unix-domain socket to which every connection is made, whatever the host. Default: none.
    public var unixSocketPath: String?
    /// Addresses to use for a host and port instead of asking the name service, as `"host:port"` to `"127.0.0.1"`. Default: none.
    public var resolvedAddresses: [String: [String]] = [:]
    /// The network interface, host name or address to send from. Default: any.
    public var localInterface: String?
    /// The limits that guard memory and time.
    public var limits = TransportLimits()

    /// The defaults.
    public init() {}
}

/// What a transport refuses to go beyond.
public struct TransportLimits: Sendable, Hashable {
    /// Of one response head, interim heads and the status line included, in bytes. Default: 256 KiB, as browsers and nginx allow.
    public var headBytes = 262_144
    /// How many times larger content may be than what arrived on the wire, once it is past 1 MiB: a decompression bomb's mark.
    /// Default: 1,000, about as much as deflate can reach by honest means.
    public var decompressionRatio = 1_000
    /// How many challenges the transport answers by itself in one transfer; NTLM takes two, a server and a proxy in front of it four.
    /// Default: 10.
    public var challenges = 10

    /// The defaults.
    public init() {}
}

/// Through what a request is sent.
public enum ProxyPolicy: Sendable, Hashable {
    /// Directly.
    case none
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say; they are read when the transport is made.
    case environment
    /// Through this proxy, except to hosts on the list (names, domain suffixes that start with a dot, addresses; `*` is all).
    case proxy(ProxyServer, except: [String])
    /// One proxy for http and another for https; `nil` sends directly.
    case perScheme(http: ProxyServer?, https: ProxyServer?, except: [String])
}

/// One proxy.
public struct ProxyServer: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How a proxy is spoken to.
    public enum Kind: String, Sendable, Hashable {
        /// HTTP: absolute-form requests for http, CONNECT for https (RFC 9110, 7.3.2 and 9.3.6).
        case http
        /// HTTP within TLS.
        case https
        /// SOCKS5; the client looks up the name.
        case socks5
        /// SOCKS5; the proxy looks up the name.
        case socks5Hostname = "socks5h"
    }

    /// How it is spoken to.
    public var kind: Kind
    /// Its name or address.
    public var host: String
    /// Its port.
    public var port: Int
    /// Credentials that are sent to it with Basic at once; a challenge is the session's to answer. Default: none.
    public var user: String?
    /// Never printed.
    public var password: String?

    /// A proxy.
    public init(kind: Kind = .http, host: String, port: Int, user: String? = nil, password: String? = nil) {
        self.kind = kind
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    /// Kind, host and port.
    public var description: String { "\(kind.rawValue)://\(host):\(port)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }
}
