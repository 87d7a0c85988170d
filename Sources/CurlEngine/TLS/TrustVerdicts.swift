// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import Foundation
import Glibc
import HTTPMessages

/// How one host's certificate is judged besides, or instead of, libcurl's own checks.
final class HostTrust {
    let host: String
    let policy: any ServerTrustPolicy
    let checks: SystemTrustChecks
    /// Whether the policy wants to see the chain.
    let judges: Bool
    /// The PEM text of the authorities that count for this host alone.
    let additionalAuthorities: MemoryBlock?

    init(host: String, policy: any ServerTrustPolicy, configured: TLSConfiguration.Authorities, defaultAuthorities: String?) {
        self.host = host
        self.policy = policy
        checks = policy.systemChecks(forHost: host)
        judges = policy.judges(host: host)
        guard !checks.additionalAuthorities.isEmpty else {
            additionalAuthorities = nil
            return
        }
        var text = Data()
        switch configured {
        case .system:
            // A blob takes the place of the file that libcurl would read by itself.
            if let defaultAuthorities, let system = FileManager.default.contents(atPath: defaultAuthorities) { text = system }
        case .pem(let pem): text = pem
        case .pemFile(let file): text = FileManager.default.contents(atPath: file.path) ?? Data()
        }
        for certificate in checks.additionalAuthorities {
            text.append(contentsOf: "\n-----BEGIN CERTIFICATE-----\n".utf8)
            text.append(certificate.base64EncodedData(options: [.lineLength64Characters, .endLineWithLineFeed]))
            text.append(contentsOf: "\n-----END CERTIFICATE-----\n".utf8)
        }
        additionalAuthorities = MemoryBlock(text)
    }
}

/// The connections whose chain was accepted: by the policy, if there is one, and by whoever required it, if somebody did.
///
/// libcurl shows the chain only to the transfer that made the connection; those that use it later stand on the verdict that is kept here
/// until the connection's socket is closed. A connection is known by its two addresses.
struct TrustVerdicts {
    struct Connection: Hashable {
        var local: String
        var localPort: Int
        var remote: String
        var remotePort: Int
    }

    private var accepted: [Connection: [Data]] = [:]

    /// What an accepted connection showed, as DER certificates.
    func chain(of connection: Connection) -> [Data]? { accepted[connection] }

    mutating func accept(_ connection: Connection, showing chain: [Data]) { accepted[connection] = chain }

    /// The socket is about to be closed; its port may then be another connection's.
    ///
    /// The remote address may be gone by now, so that every connection of the local one is forgotten. Another that shares the local
    /// address is then refused at its next use, which is a failure on the safe side.
    mutating func forget(_ descriptor: Int32) {
        guard !accepted.isEmpty else { return }
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let port: Int? = withUnsafeMutableBytes(of: &address) { bytes in
            guard let base = bytes.baseAddress else { return nil }
            guard getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0 else { return nil }
            switch Int32(base.load(as: sa_family_t.self)) {
            case AF_INET: return Int(UInt16(bigEndian: base.load(as: sockaddr_in.self).sin_port))
            case AF_INET6: return Int(UInt16(bigEndian: base.load(as: sockaddr_in6.self).sin6_port))
            default: return nil
            }
        }
        if let port { accepted = accepted.filter { $0.key.localPort != port } } else { accepted = [:] }
    }
}
#endif
