// SPDX-License-Identifier: MIT

import Foundation

/// Scheme, host and port: what credentials, cookies and connections belong to (RFC 9110, 4.3.1).
///
/// Two origins are equal when all three are; the scheme and the host are compared in lower case and a missing port is the scheme's
/// default, so `HTTPS://Example.com` equals `https://example.com:443`.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// A registered name, or an IP address without brackets, in lower case.
    public let host: String
    /// The port, the scheme's default (80, 443) included.
    public let port: Int

    /// An origin from its three parts; `nil` for a scheme that is neither `http` nor `https`, or for an empty host.
    public init?(scheme: String, host: String, port: Int? = nil) {
        let scheme = scheme.lowercased()
        guard let defaultPort = Self.defaultPort(scheme: scheme), !host.isEmpty else { return nil }
        self.scheme = scheme
        var host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        self.host = host
        self.port = port ?? defaultPort
    }

    /// The origin of `url`; `nil` if it is not an absolute http or https URL.
    public init?(url: URL) {
        guard let scheme = url.scheme, let host = url.host(percentEncoded: true) else { return nil }
        self.init(scheme: scheme, host: host, port: url.port)
    }

    /// Whether it is this machine: `localhost`, 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// 80 for `http`, 443 for `https`, `nil` for anything else.
    public static func defaultPort(scheme: String) -> Int? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// `scheme://host[:port]`, the port only if it is not the scheme's default (RFC 6454, 6.2).
    public var description: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == Self.defaultPort(scheme: scheme) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
