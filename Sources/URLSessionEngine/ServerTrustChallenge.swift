// SPDX-License-Identifier: MIT

#if canImport(Darwin)

import Foundation
import HTTPMessages
import Security

/// Answers the challenges of the TLS handshake with what the transport's configuration says.
struct TLSChallenges: Sendable {
    enum Answer {
        case systemDefault
        case trust(URLCredential)
        case refuse(HTTPError)
    }

    let configuration: TLSConfiguration

    func answer(_ space: URLProtectionSpace, attempting attempt: String) -> Answer {
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust: judge(space, attempting: attempt)
        case NSURLAuthenticationMethodClientCertificate: identify(attempting: attempt)
        default: .systemDefault
        }
    }

    private func judge(_ space: URLProtectionSpace, attempting attempt: String) -> Answer {
        let policy = configuration.trustPolicy.flatMap { $0.judges(host: space.host) ? $0 : nil }
        guard policy != nil || configuration.authorities != .system else { return .systemDefault }
        guard let trust = space.serverTrust else {
            return .refuse(HTTPError(.tlsFailed, attempting: attempt, "the system shows no certificates of the server"))
        }
        let checks = policy?.systemChecks(forHost: space.host) ?? SystemTrustChecks()
        do {
            if checks.chain || checks.host { try check(trust, checks, host: space.host) }
            let chain = (SecTrustCopyCertificateChain(trust) as? [SecCertificate]) ?? []
            try policy?.evaluate(chain.map { SecCertificateCopyData($0) as Data }, forHost: space.host)
            return .trust(URLCredential(trust: trust))
        } catch {
            return .refuse(
                HTTPError(.serverTrustRefused, attempting: attempt, "the server's certificates are not trusted", underlyingError: error))
        }
    }

    /// The system cannot check the host alone: with only that asked for, the chain is checked as well.
    private func check(_ trust: SecTrust, _ checks: SystemTrustChecks, host: String) throws {
        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, checks.host ? host as CFString : nil))
        var anchors = checks.additionalAuthorities.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        let configured = try PEMCertificates.read(configuration.authorities)
        anchors += configured.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        if !anchors.isEmpty || configuration.authorities != .system {
            SecTrustSetAnchorCertificates(trust, anchors as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, configuration.authorities != .system)
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else {
            throw error ?? URLError(.serverCertificateUntrusted)
        }
    }

    private func identify(attempting attempt: String) -> Answer {
        guard let certificate = configuration.clientCertificate else { return .systemDefault }
        guard case .pkcs12(let archive) = certificate.source else { return .systemDefault }
        var items: CFArray?
        let options = [kSecImportExportPassphrase as String: certificate.passphrase ?? ""]
        guard SecPKCS12Import(archive as CFData, options as CFDictionary, &items) == errSecSuccess,
            let first = (items as? [[String: Any]])?.first, let identity = first[kSecImportItemIdentity as String]
        else {
            return .refuse(
                HTTPError(.clientCertificateRejected, attempting: attempt, "the PKCS#12 archive cannot be opened; check its passphrase"))
        }
        // A `SecIdentity` by the documentation of the key; a conditional cast to a Core Foundation type always succeeds.
        return .trust(URLCredential(identity: identity as! SecIdentity, certificates: nil, persistence: .none))
    }
}

#endif
