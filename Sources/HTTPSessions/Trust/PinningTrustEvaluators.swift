// SPDX-License-Identifier: MIT

#if !canImport(Security)

import Foundation
import HTTPMessages

/// Accepts a server whose certificate path has a pinned certificate in it: its own, an intermediate's, or an authority's that issued the
/// last one sent.
///
/// The path is what the server sent, followed from its own certificate by checking each signature; certificates that are sent
/// along without belonging to it do not count.
public final class PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    private let certificates: [Data]
    private let acceptSelfSignedCertificates: Bool
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// An evaluator of pinned certificates.
    /// - Parameters:
    ///   - certificates: DER or PEM, one or more in each. Default: those in the main bundle's `.cer`, `.crt` and `.der` files.
    ///   - acceptSelfSignedCertificates: Whether the pinned certificates are authorities for this host, so that a self-signed one passes
    ///     the system's check.
    ///   - performDefaultValidation: Whether the system checks the chain, dates included.
    ///   - validateHost: Whether the certificate must be for the host.
    public init(
        certificates: [Data] = Bundle.main.af.certificates, acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.certificates = certificates.flatMap(CertificateFile.certificates(in:))
        self.acceptSelfSignedCertificates = acceptSelfSignedCertificates
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// As the options say.
    public func systemChecks(forHost host: String) -> SystemTrustChecks {
        SystemTrustChecks(
            chain: performDefaultValidation, host: validateHost, additionalAuthorities: acceptSelfSignedCertificates ? certificates : [])
    }

    /// Looks for a pinned certificate in the path.
    /// - Throws: ``AFError/serverTrustEvaluationFailed(reason:)`` with `noCertificatesFound` or `certificatePinningFailed`.
    public func evaluate(_ chain: [Data], forHost host: String) throws {
        guard !certificates.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound) }
        let path = CertificatePath(startingAtFirstOf: chain)
        guard certificates.contains(where: { path.contains($0) || path.isIssued(by: $0) }) else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .certificatePinningFailed(host: host, pinnedCertificates: certificates, serverCertificates: chain))
        }
    }
}

/// Accepts a server whose certificate path has a pinned public key in it, so that a certificate can be renewed without a new pin.
///
/// The path is followed as ``PinnedCertificatesTrustEvaluator`` does.
public final class PublicKeysTrustEvaluator: ServerTrustEvaluating {
    private let keys: [Data]
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// An evaluator of pinned keys.
    /// - Parameters:
    ///   - keys: SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7) in DER, as `openssl pkey -pubin -outform DER` writes it. Default: the keys
    ///     of the certificates in the main bundle.
    ///   - performDefaultValidation: Whether the system checks the chain, dates included.
    ///   - validateHost: Whether the certificate must be for the host.
    public init(keys: [Data] = Bundle.main.af.publicKeys, performDefaultValidation: Bool = true, validateHost: Bool = true) {
        self.keys = keys
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// As the options say.
    public func systemChecks(forHost host: String) -> SystemTrustChecks {
        SystemTrustChecks(chain: performDefaultValidation, host: validateHost)
    }

    /// Looks for a pinned key in the path.
    /// - Throws: ``AFError/serverTrustEvaluationFailed(reason:)`` with `noPublicKeysFound` or `publicKeyPinningFailed`.
    public func evaluate(_ chain: [Data], forHost host: String) throws {
        guard !keys.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noPublicKeysFound) }
        let path = CertificatePath(startingAtFirstOf: chain)
        let serverKeys = path.publicKeys
        guard keys.contains(where: { serverKeys.contains($0) || path.isSigned(by: $0) }) else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .publicKeyPinningFailed(host: host, pinnedKeys: keys, serverKeys: serverKeys))
        }
    }
}

#endif
