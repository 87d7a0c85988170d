// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers challenges to a provider's requests (RFC 9110, 11) with credentials; nothing is sent before a server asks for it.
public final class CredentialsPlugin: PluginType {
    /// Gives the credential for a target, or nil; called for every attempt to send a request, on any thread.
    public typealias CredentialClosure = (any TargetType) -> URLCredential?

    private let credentialsClosure: CredentialClosure

    /// A plugin that asks `credentialsClosure` for credentials.
    public init(credentialsClosure: @escaping CredentialClosure) {
        self.credentialsClosure = credentialsClosure
    }

    /// A plugin for targets of one type, embedded in a ``MultiTarget`` or not; targets of other types get no credential.
    public convenience init<T: TargetType>(for type: T.Type, credentialsClosure: @escaping (T) -> URLCredential?) {
        self.init { target in
            if let target = target as? T { return credentialsClosure(target) }
            return (MultiTarget.innermost(target) as? T).flatMap(credentialsClosure)
        }
    }

    /// Gives the request the target's credential.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        guard let credential = credentialsClosure(target) else { return }
        _ = request.authenticate(with: credential)
    }
}
