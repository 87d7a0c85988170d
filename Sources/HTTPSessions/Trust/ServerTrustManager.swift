// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(Security)
import Security
#endif

/// Which evaluator decides about which host.
///
/// Hosts match whole, without regard to case and to a dot at their end: `example.com` says nothing about `api.example.com`.
open class ServerTrustManager: @unchecked Sendable {  // its properties never change
    /// Whether a host without an evaluator is refused; otherwise the system decides about it.
    public let allHostsMustBeEvaluated: Bool
    /// The evaluators by host.
    public let evaluators: [String: any ServerTrustEvaluating]

    private let evaluatorsByName: [String: any ServerTrustEvaluating]

    /// A manager of these evaluators.
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = evaluators
        evaluatorsByName = Dictionary(evaluators.map { (Self.name(of: $0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The evaluator for a host; nil leaves the host to the system.
    /// - Throws: ``AFError/serverTrustEvaluationFailed(reason:)`` with `noRequiredEvaluator` if there is none and must be one.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        let evaluator = evaluatorsByName[Self.name(of: host)]
        if evaluator == nil, allHostsMustBeEvaluated {
            throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
        }
        return evaluator
    }

    private static func name(of host: String) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}

extension ServerTrustManager: ServerTrustPolicy {
    /// Whether there is an evaluator for the host, or must be one.
    public func judges(host: String) -> Bool {
        do {
            return try serverTrustEvaluator(forHost: host) != nil
        } catch {
            return true
        }
    }

    /// What the host's evaluator leaves to the system; on Apple platforms evaluators ask the system themselves.
    public func systemChecks(forHost host: String) -> SystemTrustChecks {
        #if canImport(Security)
        return judges(host: host) ? SystemTrustChecks(chain: false, host: false) : SystemTrustChecks()
        #else
        return (try? serverTrustEvaluator(forHost: host))?.systemChecks(forHost: host) ?? SystemTrustChecks()
        #endif
    }

    /// Asks the host's evaluator.
    /// - Throws: ``AFError/serverTrustEvaluationFailed(reason:)``; an evaluator's own error is inside `customEvaluationFailed`.
    public func evaluate(_ chain: [Data], forHost host: String) throws {
        guard let evaluator = try serverTrustEvaluator(forHost: host) else { return }
        do {
            #if canImport(Security)
            try evaluator.evaluate(SecTrust.make(chain: chain, host: host), forHost: host)
            #else
            try evaluator.evaluate(chain, forHost: host)
            #endif
        } catch {
            throw error.asAFError(or: .serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error)))
        }
    }
}
