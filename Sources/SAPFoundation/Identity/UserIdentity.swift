// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What shows a client to a server in the TLS handshake. It prints nothing of itself.
struct ClientIdentity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// A PKCS#12 archive, or PEM text with certificate and key.
    let data: Data
    let passphrase: String

    var certificate: ClientCertificate {
        // PEM is text; an archive begins with an ASN.1 tag.
        let isPEM = data.prefix(64).contains(UInt8(ascii: "-")) && data.range(of: Data("-----BEGIN ".utf8)) != nil
        return isPEM
            ? ClientCertificate(.pem(certificate: data, key: data), passphrase: passphrase.isEmpty ? nil : passphrase)
            : ClientCertificate(.pkcs12(data), passphrase: passphrase)
    }

    var description: String { "client identity (redacted)" }
    var customMirror: Mirror { Mirror(self, children: ["identity": description]) }
}

/// Answers a client-certificate challenge with an identity, which Foundation's credential cannot hold on Linux.
public final class UserIdentityCredential: URLCredential, @unchecked Sendable {  // constants only
    let identity: ClientIdentity

    /// `identity`: a PKCS#12 archive, or PEM text with certificate and key.
    /// `passphrase`: what opens it. Default: empty.
    public init(identity: Data, passphrase: String = "") {
        self.identity = ClientIdentity(data: identity, passphrase: passphrase)
        super.init(user: "", password: "", persistence: .none)
    }

    /// Not decoded from anything.
    public required init?(coder: NSCoder) { nil }

    /// A fixed text.
    public override var description: String { "client identity (redacted)" }
}

extension URLProtectionSpace {
    /// Whether a certificate of the client's is asked for; Linux has no constant for it.
    var asksForClientCertificate: Bool { authenticationMethod == "NSURLAuthenticationMethodClientCertificate" }
}

/// An observer that knows, before the handshake, which identity a server is to be shown.
protocol ClientIdentityProviding: AnyObject {
    /// Calls `completion` once, from any thread.
    func identity(for url: URL, task: UUID, _ completion: @escaping @Sendable (ClientIdentity?) -> Void)
}
