// SPDX-License-Identifier: MIT

#if canImport(Security)

import Foundation
import Security

/// Leaves the decision to the system, with or without the name of the host.
public final class DefaultTrustEvaluator: ServerTrustEvaluating {
    private let validateHost: Bool

    /// An evaluator that has the system check the chain.
    /// - Parameter validateHost: Whether the certificate must be for the host. Without that any server with a valid certificate is
    ///   accepted.
    public init(validateHost: Bool = true) {
        self.validateHost = validateHost
    }

    /// Has the system evaluate the chain.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        try trust.evaluate(host: validateHost ? host : nil)
    }
}

/// Accepts any server. For tests only: whoever is on the way can read and change everything.
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
    /// An evaluator that accepts everything.
    public init() {}

    /// Never throws.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {}
}

/// Accepts a server that all of several evaluators accept.
public final class CompositeTrustEvaluator: ServerTrustEvaluating {
    private let evaluators: [any ServerTrustEvaluating]

    /// An evaluator of these, asked in their order. None leave the decision to the system.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
    }

    /// Asks each evaluator; the first error ends it.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else { return try trust.evaluate(host: host) }
        for evaluator in evaluators {
            try evaluator.evaluate(trust, forHost: host)
        }
    }
}

/// Accepts a server whose certificate chain has a pinned certificate in it.
public final class PinnedCertificatesTrustEvaluator: ServerTrustEvaluating, @unchecked Sendable {  // certificates are immutable
    private let certificates: [SecCertificate]
    private let acceptSelfSignedCertificates: Bool
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// An evaluator of pinned certificates.
    /// - Parameters:
    ///   - certificates: Default: those in the main bundle's `.cer`, `.crt` and `.der` files.
    ///   - acceptSelfSignedCertificates: Whether the pinned certificates are the only authorities, so that a self-signed one passes.
    ///   - performDefaultValidation: Whether the system checks the chain, dates included.
    ///   - validateHost: Whether the certificate must be for the host.
    public init(
        certificates: [SecCertificate] = Bundle.main.af.certificates, acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) {
        self.certificates = certificates
        self.acceptSelfSignedCertificates = acceptSelfSignedCertificates
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// Has the system evaluate the chain if asked for, and looks for a pinned certificate in it.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard !certificates.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound) }
        if acceptSelfSignedCertificates {
            SecTrustSetAnchorCertificates(trust, certificates as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, true)
        }
        try trust.evaluate(chain: performDefaultValidation, host: validateHost ? host : nil)

        let pinned = certificates.map { SecCertificateCopyData($0) as Data }
        let server = trust.chain.map { SecCertificateCopyData($0) as Data }
        guard pinned.contains(where: server.contains) else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .certificatePinningFailed(host: host, pinnedCertificates: pinned, serverCertificates: server))
        }
    }
}

/// Accepts a server whose certificate chain has a pinned public key in it, so that a certificate can be renewed without a new pin.
public final class PublicKeysTrustEvaluator: ServerTrustEvaluating, @unchecked Sendable {  // keys are immutable
    private let keys: [SecKey]
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// An evaluator of pinned keys.
    /// - Parameters:
    ///   - keys: Default: the keys of the certificates in the main bundle.
    ///   - performDefaultValidation: Whether the system checks the chain, dates included.
    ///   - validateHost: Whether the certificate must be for the host.
    public init(keys: [SecKey] = Bundle.main.af.publicKeys, performDefaultValidation: Bool = true, validateHost: Bool = true) {
        self.keys = keys
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// Has the system evaluate the chain if asked for, and looks for a pinned key in it.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard !keys.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noPublicKeysFound) }
        try trust.evaluate(chain: performDefaultValidation, host: validateHost ? host : nil)

        let server = trust.chain.compactMap { SecCertificateCopyKey($0) }
        guard keys.contains(where: { key in server.contains { CFEqual($0, key) } }) else {
            let data = { (keys: [SecKey]) in keys.compactMap { SecKeyCopyExternalRepresentation($0, nil) as Data? } }
            throw AFError.serverTrustEvaluationFailed(
                reason: .publicKeyPinningFailed(host: host, pinnedKeys: data(keys), serverKeys: data(server)))
        }
    }
}

extension AlamofireExtension where ExtendedType: Bundle {
    /// The certificates in the bundle's `.cer`, `.crt` and `.der` files, whether these are DER or PEM. Reads the files each time.
    public var certificates: [SecCertificate] {
        certificateData.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
    }

    /// The public keys of ``certificates``.
    public var publicKeys: [SecKey] { certificates.compactMap { SecCertificateCopyKey($0) } }
}

extension SecTrust {
    /// A trust object for DER certificates, the server's own first.
    static func make(chain: [Data], host: String) throws -> SecTrust {
        let certificates = chain.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        var trust: SecTrust?
        SecTrustCreateWithCertificates(certificates as CFArray, SecPolicyCreateSSL(true, host as CFString), &trust)
        guard let trust else { throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: nil)) }
        return trust
    }

    /// The certificates from the server's own to the authority's, as the system puts them together.
    var chain: [SecCertificate] {
        SecTrustCopyCertificateChain(self) as? [SecCertificate] ?? []
    }

    /// Throws unless the system accepts the chain; with a host, the certificate must be for that.
    func evaluate(host: String?) throws {
        SecTrustSetPolicies(self, host.map { SecPolicyCreateSSL(true, $0 as CFString) } ?? SecPolicyCreateBasicX509())
        var error: CFError?
        guard SecTrustEvaluateWithError(self, &error) else {
            throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: error))
        }
    }

    /// Throws unless the system accepts what is to be checked. It cannot check the host alone: with only that asked for, the chain is
    /// checked as well.
    func evaluate(chain: Bool, host: String?) throws {
        if chain || host != nil { try evaluate(host: host) }
    }
}

#endif
