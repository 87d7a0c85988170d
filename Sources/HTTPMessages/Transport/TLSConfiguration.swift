// SPDX-License-Identifier: MIT

import Foundation

/// How connections are secured and whom they trust.
public struct TLSConfiguration: Sendable {
    /// A version of TLS.
    public enum Version: Int, Sendable, Hashable, Comparable {
        /// TLS 1.2 (RFC 5246).
        case tls1_2
        /// TLS 1.3 (RFC 8446).
        case tls1_3

        /// Older versions come first.
        public static func < (lhs: Version, rhs: Version) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// Whom the server's chain may end at.
    public enum Authorities: Sendable, Hashable {
        /// The system's.
        case system
        /// The certificates in this PEM text, and no others.
        case pem(Data)
        /// The certificates in this PEM file, and no others.
        case pemFile(URL)
    }

    /// The least version that is spoken. Default: 1.2.
    public var minimumVersion = Version.tls1_2
    /// The greatest version that is spoken. Default: the newest.
    public var maximumVersion: Version?
    /// Whom the server's chain may end at. Default: the system's authorities.
    public var authorities = Authorities.system
    /// What identifies the client. Default: nothing.
    public var clientCertificate: ClientCertificate?
    /// Decides, with a host and its chain in hand, what the system's verdict is worth. Default: the system's verdict stands.
    public var trustPolicy: (any ServerTrustPolicy)?

    /// The defaults.
    public init() {}
}

/// What identifies a client in the TLS handshake.
public struct ClientCertificate: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where certificate and key come from.
    public enum Source: Sendable {
        /// PEM text or files: the certificate, chain included, and its key.
        case pem(certificate: Data, key: Data)
        /// A PKCS#12 archive.
        case pkcs12(Data)
    }

    /// Where certificate and key come from.
    public var source: Source
    /// What opens the key or the archive. Never printed.
    public var passphrase: String?

    /// A client certificate.
    public init(_ source: Source, passphrase: String? = nil) {
        self.source = source
        self.passphrase = passphrase
    }

    /// A fixed text: everything in here is a secret.
    public var description: String { "client certificate (redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["certificate": description]) }
}

/// Decides whether a server is the one it should be.
///
/// It is asked once for each connection, before a byte of a request is sent on it, from the transport's thread: it must not block.
public protocol ServerTrustPolicy: Sendable {
    /// What the system has to check for this host; asked before the handshake.
    func systemChecks(forHost host: String) -> SystemTrustChecks
    /// Throws if the chain is not to be trusted. `chain` holds DER certificates, the server's own first.
    func evaluate(_ chain: [Data], forHost host: String) throws
    /// Whether ``evaluate(_:forHost:)`` has anything to say about `host`; if not, the chain is not even collected.
    func judges(host: String) -> Bool
}

/// What the system checks of a server's chain by itself.
public struct SystemTrustChecks: Sendable, Hashable {
    /// That the chain ends at an authority, with every certificate valid at this time.
    public var chain: Bool
    /// That the certificate is for the host.
    public var host: Bool
    /// DER certificates that are authorities for this host besides the configured ones, such as a pinned self-signed certificate.
    public var additionalAuthorities: [Data]

    /// Everything is checked by default.
    public init(chain: Bool = true, host: Bool = true, additionalAuthorities: [Data] = []) {
        self.chain = chain
        self.host = host
        self.additionalAuthorities = additionalAuthorities
    }
}
