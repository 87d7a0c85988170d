// SPDX-License-Identifier: MIT

#if !canImport(Security)

internal import CCryptoShim
import Foundation

/// The part of what a server sent that hangs together: from its own certificate, each one signed by the next.
///
/// A server may send any certificate along with its own. Comparing pins with all of them would let whoever holds a certificate for the
/// host, from any authority, pass by adding the pinned one to what it sends; only a certificate that has signed counts.
struct CertificatePath {
    /// No real path is longer; each step costs signature checks, and what is sent is the server's choice.
    private static let maximumLength = 10

    private let certificates: [Data]

    /// Follows the path from the first certificate of `chain`, whatever the order of the others.
    init(startingAtFirstOf chain: [Data]) {
        guard let first = chain.first else {
            certificates = []
            return
        }
        var path = [first]
        var rest = chain.dropFirst().prefix(2 * Self.maximumLength).filter { $0 != first }
        while path.count < Self.maximumLength, let index = rest.firstIndex(where: { Self.is(path[path.count - 1], issuedBy: $0) }) {
            path.append(rest.remove(at: index))
        }
        certificates = path
    }

    /// The keys of the certificates; one whose key cannot be read is left out.
    var publicKeys: [Data] {
        certificates.compactMap(CertificateDER.subjectPublicKeyInfo(of:))
    }

    func contains(_ certificate: Data) -> Bool {
        certificates.contains(certificate)
    }

    /// Whether `certificate`, which the server need not send, issued the path's last one.
    func isIssued(by certificate: Data) -> Bool {
        certificates.last.map { Self.is($0, issuedBy: certificate) } ?? false
    }

    /// Whether the key signed the path's last certificate.
    func isSigned(by key: Data) -> Bool {
        guard let last = certificates.last else { return false }
        return last.withUnsafeBytes { certificate in
            key.withUnsafeBytes { ccrypto_certificate_is_signed_by(certificate.baseAddress, certificate.count, $0.baseAddress, $0.count) }
        }
    }

    private static func `is`(_ certificate: Data, issuedBy issuer: Data) -> Bool {
        certificate.withUnsafeBytes { certificate in
            issuer.withUnsafeBytes {
                ccrypto_certificate_is_issued_by(certificate.baseAddress, certificate.count, $0.baseAddress, $0.count)
            }
        }
    }
}

#endif
