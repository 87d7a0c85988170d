// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(Security)
import Security

/// Decides whether the server of a connection is the one it should be.
public protocol ServerTrustEvaluating: Sendable {
    /// Throws if the server is not to be trusted. Called before a byte of a request is sent, from any thread; must not block for long.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}
#else

/// Decides whether the server of a connection is the one it should be.
public protocol ServerTrustEvaluating: Sendable {
    /// Throws if the server is not to be trusted.
    ///
    /// `chain` holds what the server sent, as DER certificates, its own first; nothing says that one has signed the other unless the system
    /// checked that (``systemChecks(forHost:)``). Called once for each connection, before a byte of a request is sent, on the transport's
    /// thread: must not block.
    func evaluate(_ chain: [Data], forHost host: String) throws

    /// What the system has to check by itself, before ``evaluate(_:forHost:)`` is asked. Default: chain and host.
    func systemChecks(forHost host: String) -> SystemTrustChecks
}

extension ServerTrustEvaluating {
    /// Chain and host, against the system's authorities.
    public func systemChecks(forHost host: String) -> SystemTrustChecks { SystemTrustChecks() }
}
#endif
