// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Foundation's protection spaces on Linux are equal only to themselves, so that a credential that was stored for one is not found by
// another that says the same.
extension URLCredentialStorage {
    /// The default credential for `space`, or for one that says the same.
    func sameDefaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        if let credential = defaultCredential(for: space) { return credential }
        return sameSpaces(as: space).lazy.compactMap { self.defaultCredential(for: $0) }.first
    }

    /// The credentials for `space`, or for one that says the same, by user.
    func sameCredentials(for space: URLProtectionSpace) -> [String: URLCredential] {
        if let credentials = credentials(for: space), !credentials.isEmpty { return credentials }
        return sameSpaces(as: space).lazy.compactMap { self.credentials(for: $0) }.first ?? [:]
    }

    private func sameSpaces(as space: URLProtectionSpace) -> [URLProtectionSpace] {
        allCredentials.keys.filter { other in
            other.host.lowercased() == space.host.lowercased() && other.port == space.port && other.protocol == space.protocol
                && other.realm == space.realm && other.authenticationMethod == space.authenticationMethod
        }
    }
}
