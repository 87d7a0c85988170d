// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that is about to be sent, as plugins see it.
public protocol RequestType {
    /// The request as it is sent: after the session's adapter and every plugin's `prepare`.
    var request: URLRequest? { get }

    /// The fields that the session adds where the request has none of that name.
    var sessionHeaders: [String: String] { get }

    /// Answers a challenge of the server or of a proxy to this request with a user name and password.
    func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Self

    /// Answers a challenge of the server or of a proxy to this request with a credential.
    func authenticate(with credential: URLCredential) -> Self

    /// Calls `handler` once, later, from any thread, with the request as a `curl` command in which secrets are redacted.
    @preconcurrency
    func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self
}

extension Request: RequestType {
    /// The additional fields of the session's configuration; empty if there are none or the session is gone.
    public var sessionHeaders: [String: String] {
        delegate?.sessionConfiguration.headers.dictionary ?? [:]
    }
}
