// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Agrees to the certificates that a server shows: the answer to a challenge of the method `NSURLAuthenticationMethodServerTrust`, a
/// constant that Linux lacks.
///
/// It holds for exactly this chain at this host and port, as long as the session lives. Any other credential is no answer to such a
/// challenge.
public final class ServerTrustCredential: URLCredential, @unchecked Sendable {  // constants only
    let certificates: [Data]

    /// Agrees to what `challenge` shows; `nil` if it is not about a server's certificates.
    ///
    /// Look at the challenge's `serverCertificates` first: whoever agrees to anything is protected from nobody.
    public init?(accepting challenge: URLAuthenticationChallenge) {
        guard let certificates = challenge.serverCertificates else { return nil }
        self.certificates = certificates
        super.init(user: "", password: "", persistence: .none)
    }

    /// Not decoded from anything.
    public required init?(coder: NSCoder) { nil }

    /// How many certificates there are.
    public override var description: String { "ServerTrustCredential(certificates: \(certificates.count))" }
}

extension URLAuthenticationChallenge {
    /// What the server shows, as DER certificates, its own first; `nil` if the challenge is about something else.
    ///
    /// Nobody has checked anything yet: not the signatures, nor the dates, nor the host. To leave that to the system, answer
    /// `performDefaultHandling`.
    public var serverCertificates: [Data]? { (protectionSpace as? ServerTrustSpace)?.certificates }
}

/// A protection space with the certificates of its server.
final class ServerTrustSpace: URLProtectionSpace, @unchecked Sendable {  // constants only
    let certificates: [Data]

    init(host: String, port: Int, certificates: [Data]) {
        self.certificates = certificates
        super.init(host: host, port: port, protocol: "https", realm: nil, authenticationMethod: "NSURLAuthenticationMethodServerTrust")
    }

    required init?(coder: NSCoder) { nil }
}
