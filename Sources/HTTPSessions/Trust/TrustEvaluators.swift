// SPDX-License-Identifier: MIT

#if !canImport(Security)

import Foundation
import HTTPMessages

/// Leaves the decision to the system, with or without the name of the host.
public final class DefaultTrustEvaluator: ServerTrustEvaluating {
    private let validateHost: Bool

    /// An evaluator that has the system check the chain.
    /// - Parameter validateHost: Whether the certificate must be for the host. Without that any server with a valid certificate is
    ///   accepted.
    public init(validateHost: Bool = true) {
        self.validateHost = validateHost
    }

    /// Chain, and host if asked for.
    public func systemChecks(forHost host: String) -> SystemTrustChecks {
        SystemTrustChecks(chain: true, host: validateHost)
    }

    /// Has nothing to add to the system's checks.
    public func evaluate(_ chain: [Data], forHost host: String) throws {}
}

/// Accepts any server. For tests only: whoever is on the way can read and change everything.
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
    /// An evaluator that switches the system's checks off.
    public init() {}

    /// Nothing.
    public func systemChecks(forHost host: String) -> SystemTrustChecks {
        SystemTrustChecks(chain: false, host: false)
    }

    /// Never throws.
    public func evaluate(_ chain: [Data], forHost host: String) throws {}
}

/// Accepts a server that all of several evaluators accept.
public final class CompositeTrustEvaluator: ServerTrustEvaluating {
    private let evaluators: [any ServerTrustEvaluating]

    /// An evaluator of these, asked in their order. None leave the decision to the system.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
    }

    /// Everything that any of the evaluators wants checked; an additional authority counts if all that want the chain checked accept it.
    public func systemChecks(forHost host: String) -> SystemTrustChecks {
        let all = evaluators.map { $0.systemChecks(forHost: host) }
        guard !all.isEmpty else { return SystemTrustChecks() }
        let checkingChain = all.filter(\.chain)
        let authorities = checkingChain.first?.additionalAuthorities.filter { authority in
            checkingChain.allSatisfy { $0.additionalAuthorities.contains(authority) }
        }
        return SystemTrustChecks(chain: !checkingChain.isEmpty, host: all.contains(where: \.host), additionalAuthorities: authorities ?? [])
    }

    /// Asks each evaluator; the first error ends it.
    public func evaluate(_ chain: [Data], forHost host: String) throws {
        for evaluator in evaluators {
            try evaluator.evaluate(chain, forHost: host)
        }
    }
}

#endif
