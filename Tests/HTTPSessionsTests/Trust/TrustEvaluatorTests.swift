// SPDX-License-Identifier: MIT

#if !canImport(Security)

import Foundation
import HTTPMessages
import HTTPSessions
import Testing

private func reason(_ body: () throws -> Void) -> AFError.ServerTrustFailureReason? {
    do {
        try body()
        return nil
    } catch {
        guard case .serverTrustEvaluationFailed(let reason)? = error.asAFError else { return nil }
        return reason
    }
}

private func accepts(_ evaluator: some ServerTrustEvaluating, _ chain: [Data]) -> Bool {
    (try? evaluator.evaluate(chain, forHost: "example.com")) != nil
}

@Suite struct TrustEvaluatorTests {
    private let chain = [Certificates.server, Certificates.pinnedIntermediate]

    @Test(arguments: [
        [Certificates.server], [Certificates.pinnedIntermediate], [Certificates.pinnedRoot], [Certificates.rogueRoot, Certificates.server],
    ])
    func `a pin may be the server's certificate, an intermediate's or the authority's that was not sent`(pins: [Data]) {
        #expect(accepts(PinnedCertificatesTrustEvaluator(certificates: pins), chain))
    }

    @Test func `another server's certificate is refused with what was compared`() {
        let refused = reason {
            try PinnedCertificatesTrustEvaluator(certificates: [Certificates.pinnedIntermediate])
                .evaluate([Certificates.rogueServer, Certificates.rogueRoot], forHost: "example.com")
        }

        guard case .certificatePinningFailed("example.com", [Certificates.pinnedIntermediate], let server) = refused else {
            Issue.record("unexpected \(String(describing: refused))")
            return
        }
        #expect(server == [Certificates.rogueServer, Certificates.rogueRoot])
    }

    @Test(
        arguments: [
            // Sent along, but not part of the path.
            [Certificates.rogueServer, Certificates.rogueRoot, Certificates.pinnedIntermediate, Certificates.pinnedRoot],
            [Certificates.rogueServer, Certificates.server, Certificates.pinnedIntermediate],
            // The name is the pinned authority's; the signature is not.
            [Certificates.impostorServer, Certificates.pinnedIntermediate, Certificates.pinnedRoot],
            [Certificates.impostorServer, Certificates.impostor, Certificates.rogueRoot, Certificates.pinnedIntermediate],
            // Issued by a server's certificate, which is no authority.
            [Certificates.forged, Certificates.server, Certificates.pinnedIntermediate],
            [], [Data()], [Data([0x30, 0x80])],
        ] as [[Data]])
    func `a pinned certificate counts only if it signed what leads to the server's`(chain: [Data]) {
        let certificates = [Certificates.pinnedIntermediate, Certificates.pinnedRoot, Certificates.server]
        let keys = [Certificates.pinnedRootKey]

        #expect(!accepts(PinnedCertificatesTrustEvaluator(certificates: certificates), chain))
        #expect(!accepts(PublicKeysTrustEvaluator(keys: keys), chain))
    }

    @Test func `the order in which the server sends the rest does not matter`() {
        let shuffled = [
            Certificates.server, Certificates.pinnedRoot, Certificates.rogueRoot, Certificates.pinnedIntermediate, Certificates.server,
        ]

        #expect(accepts(PinnedCertificatesTrustEvaluator(certificates: [Certificates.pinnedRoot]), shuffled))
    }

    @Test func `a self-signed certificate can be pinned and becomes an authority if asked for`() {
        let evaluator = PinnedCertificatesTrustEvaluator(certificates: [Certificates.selfSigned], acceptSelfSignedCertificates: true)

        #expect(accepts(evaluator, [Certificates.selfSigned]))
        #expect(evaluator.systemChecks(forHost: "h") == SystemTrustChecks(additionalAuthorities: [Certificates.selfSigned]))
        #expect(!accepts(evaluator, [Certificates.server]))
    }

    @Test func `pins may come in PEM`() {
        let pem = "-----BEGIN CERTIFICATE-----\n\(Certificates.server.base64EncodedString())\n-----END CERTIFICATE-----\n"

        #expect(accepts(PinnedCertificatesTrustEvaluator(certificates: [Data(pem.utf8)]), chain))
    }

    @Test func `a pinned key is found in the path, or signed its end`() {
        #expect(accepts(PublicKeysTrustEvaluator(keys: [Certificates.serverKey]), chain))
        #expect(accepts(PublicKeysTrustEvaluator(keys: [Certificates.pinnedRootKey]), chain))
        let refused = reason { try PublicKeysTrustEvaluator(keys: [Certificates.versionOneKey]).evaluate(chain, forHost: "example.com") }
        guard case .publicKeyPinningFailed("example.com", [Certificates.versionOneKey], let server) = refused else {
            Issue.record("unexpected \(String(describing: refused))")
            return
        }
        #expect(server.first == Certificates.serverKey)
        #expect(server.count == 2)
    }

    /// The hash is what OpenSSL says of the certificate's key.
    @Test func `a refusal says which key the server has shown`() {
        let hash = "k1JN9AQbnqQdHJVlolZfEJSbio+KALqu/Mft986vg84="
        let evaluators: [any ServerTrustEvaluating] = [
            PinnedCertificatesTrustEvaluator(certificates: [Certificates.rogueRoot]),
            PublicKeysTrustEvaluator(keys: [Certificates.versionOneKey]),
        ]
        for evaluator in evaluators {
            let error = #expect(throws: AFError.self) { try evaluator.evaluate(chain, forHost: "example.com") }
            #expect(error?.localizedDescription.contains("SHA-256 hash \(hash).") == true, "\(String(describing: error))")
        }
    }

    @Test func `pinning without pins refuses every server`() {
        guard case .noCertificatesFound = reason({ try PinnedCertificatesTrustEvaluator().evaluate(chain, forHost: "h") }),
            case .noPublicKeysFound = reason({ try PublicKeysTrustEvaluator().evaluate(chain, forHost: "h") })
        else {
            Issue.record("accepted")
            return
        }
    }

    @Test func `each evaluator says what the system has to check`() {
        let none = SystemTrustChecks(chain: false, host: false)
        let table: [(any ServerTrustEvaluating, SystemTrustChecks)] = [
            (DefaultTrustEvaluator(), SystemTrustChecks()), (DefaultTrustEvaluator(validateHost: false), SystemTrustChecks(host: false)),
            (DisabledTrustEvaluator(), none), (PinnedCertificatesTrustEvaluator(certificates: [Certificates.server]), SystemTrustChecks()),
            (
                PinnedCertificatesTrustEvaluator(
                    certificates: [Certificates.server], performDefaultValidation: false, validateHost: false), none
            ),
            (PublicKeysTrustEvaluator(keys: [], performDefaultValidation: false), SystemTrustChecks(chain: false)),
            (CompositeTrustEvaluator(evaluators: []), SystemTrustChecks()),
            (CompositeTrustEvaluator(evaluators: [DisabledTrustEvaluator(), DefaultTrustEvaluator()]), SystemTrustChecks()),
            (CompositeTrustEvaluator(evaluators: [DisabledTrustEvaluator(), DisabledTrustEvaluator()]), none),
        ]

        for (evaluator, checks) in table {
            #expect(evaluator.systemChecks(forHost: "h") == checks)
        }
    }

    @Test func `a composite accepts an additional authority only if all that check the chain do`() {
        let selfSigned = PinnedCertificatesTrustEvaluator(certificates: [Certificates.selfSigned], acceptSelfSignedCertificates: true)

        let alone = CompositeTrustEvaluator(evaluators: [selfSigned, DisabledTrustEvaluator()])
        let strict = CompositeTrustEvaluator(evaluators: [selfSigned, DefaultTrustEvaluator()])

        #expect(alone.systemChecks(forHost: "h").additionalAuthorities == [Certificates.selfSigned])
        #expect(strict.systemChecks(forHost: "h").additionalAuthorities.isEmpty)
    }

    @Test func `a composite asks all and fails with the first error`() {
        let good = PinnedCertificatesTrustEvaluator(certificates: [Certificates.server])
        let bad = PublicKeysTrustEvaluator(keys: [Certificates.versionOneKey])

        #expect(accepts(CompositeTrustEvaluator(evaluators: [good, DisabledTrustEvaluator()]), chain))
        #expect(!accepts(CompositeTrustEvaluator(evaluators: [good, bad]), chain))
    }
}

@Suite struct ServerTrustManagerTests {
    private struct Refused: Error {}

    private struct Refusing: ServerTrustEvaluating {
        func evaluate(_ chain: [Data], forHost host: String) throws { throw Refused() }
    }

    @Test(arguments: ["example.com", "EXAMPLE.com", "example.com."])
    func `hosts match whole, without case and final dot`(host: String) throws {
        let manager = ServerTrustManager(evaluators: ["Example.Com": DisabledTrustEvaluator()])

        #expect(try manager.serverTrustEvaluator(forHost: host) is DisabledTrustEvaluator)
        #expect(manager.judges(host: host))
        #expect(manager.systemChecks(forHost: host) == SystemTrustChecks(chain: false, host: false))
        #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "api.\(host)") }
    }

    @Test func `an unknown host is refused, or left to the system where that is allowed`() throws {
        let strict = ServerTrustManager(evaluators: [:])
        let open = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: [:])

        #expect(strict.judges(host: "h"))
        #expect(strict.systemChecks(forHost: "h") == SystemTrustChecks())
        guard case .noRequiredEvaluator("h") = reason({ try strict.evaluate([], forHost: "h") }) else {
            Issue.record("accepted")
            return
        }
        #expect(!open.judges(host: "h"))
        #expect(open.systemChecks(forHost: "h") == SystemTrustChecks())
        try open.evaluate([], forHost: "h")
    }

    @Test func `an evaluator's own error is kept inside`() {
        let manager = ServerTrustManager(evaluators: ["h": Refusing()])

        guard case .customEvaluationFailed(is Refused) = reason({ try manager.evaluate([], forHost: "h") }) else {
            Issue.record("another error")
            return
        }
    }

    @Test func `a subclass decides for hosts it knows`() throws {
        final class Wildcard: ServerTrustManager, @unchecked Sendable {  // no properties of its own
            override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
                try super.serverTrustEvaluator(forHost: host.hasSuffix(".example.com") ? "example.com" : host)
            }
        }
        let manager = Wildcard(evaluators: ["example.com": Refusing()])

        #expect(manager.judges(host: "api.example.com"))
        #expect(throws: AFError.self) { try manager.evaluate([], forHost: "api.example.com") }
    }
}

#endif
