// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

/// A transport's configuration, worked out once into what libcurl is told for every transfer.
final class EngineSettings: Sendable {
    /// Why no transfer can be sent with this configuration.
    struct Problem {
        var kind: HTTPError.Kind
        var reason: String
    }

    let configuration: TransportConfiguration
    let proxies: ProxySettings
    /// The PEM text of the configured authorities.
    let authorities: MemoryBlock?
    let clientCertificate: MemoryBlock?
    let clientKey: MemoryBlock?
    /// `host:port:address,address`, as CURLOPT_RESOLVE takes them.
    let resolvedAddresses: [String]
    let problem: Problem?

    init(_ configuration: TransportConfiguration) {
        self.configuration = configuration
        proxies = ProxySettings(configuration.proxy)
        if case .pem(let text) = configuration.tls.authorities { authorities = MemoryBlock(text) } else { authorities = nil }
        switch configuration.tls.clientCertificate?.source {
        case .pem(let certificate, let key):
            clientCertificate = MemoryBlock(certificate)
            clientKey = MemoryBlock(key)
        case .pkcs12(let archive):
            clientCertificate = MemoryBlock(archive)
            clientKey = nil
        case nil:
            clientCertificate = nil
            clientKey = nil
        }
        resolvedAddresses = configuration.resolvedAddresses.map { "\($0.key):\($0.value.joined(separator: ","))" }
        problem = Self.problem(with: configuration)
    }

    private static func problem(with configuration: TransportConfiguration) -> Problem? {
        if configuration.unixSocketPath != nil, !CurlFeatures.current.hasUnixSockets {
            return Problem(kind: .unsupportedByTransport, reason: "this libcurl was built without Unix-domain sockets")
        }
        if case .pemFile(let file) = configuration.tls.authorities, !FileManager.default.isReadableFile(atPath: file.path) {
            return Problem(kind: .tlsFailed, reason: "the file of authorities \(file.lastPathComponent) is missing or may not be read")
        }
        for entry in configuration.resolvedAddresses where !entry.key.contains(":") || entry.value.isEmpty {
            return Problem(kind: .other, reason: "“\(entry.key)” in resolvedAddresses is not host:port with at least one address")
        }
        return nil
    }

    /// How the certificate of `host` is judged; `nil` if by libcurl alone.
    func trust(forHost host: String) -> HostTrust? {
        guard let policy = configuration.tls.trustPolicy else { return nil }
        var defaultAuthorities: String?
        if let easy = curl_easy_init() {
            defaultAuthorities = ccurl_easy_default_authorities(easy).map { String(cString: $0) }
            curl_easy_cleanup(easy)
        }
        return HostTrust(host: host, policy: policy, configured: configuration.tls.authorities, defaultAuthorities: defaultAuthorities)
    }
}
#endif
