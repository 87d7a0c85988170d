// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Who asks for a credential and for which realm; Foundation's spaces compare by identity, so they cannot stand in dictionaries.
struct BasicSpace: Hashable, Sendable {
    let isProxy: Bool
    let origin: Origin
    /// Empty if there is none; compared exactly.
    let realm: String
}

/// A Basic challenge, read.
struct BasicChallenge: Sendable {
    let space: BasicSpace
    /// For the store: of the request that was challenged, or of the proxy.
    let storeURL: URL
    let challenge: URLAuthenticationChallenge

    /// `nil` for challenges that are somebody else's.
    init?(_ challenge: URLAuthenticationChallenge) {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic, let url = challenge.failureResponse?.url else { return nil }
        let scheme: String
        if space.isProxy() {
            switch space.proxyType {
            case NSURLProtectionSpaceHTTPProxy: scheme = "http"
            case NSURLProtectionSpaceHTTPSProxy: scheme = "https"
            default: return nil
            }
        } else {
            scheme = space.`protocol` ?? url.scheme ?? ""
        }
        var host = space.host
        if host.hasSuffix(".") { host.removeLast() }
        guard let origin = Origin(scheme: scheme, host: host, port: space.port) else { return nil }
        guard let storeURL = space.isProxy() ? URL(string: "\(OriginKey.text(of: origin))/") : url.withoutSecrets else { return nil }
        self.space = BasicSpace(isProxy: space.isProxy(), origin: origin, realm: space.realm ?? "")
        self.storeURL = storeURL
        self.challenge = challenge
    }

    /// Whether nobody on the way can read what is sent.
    var isSecure: Bool { space.origin.scheme == "https" || space.origin.isLoopback }

    /// What was sent without this module's doing, such as user information in the URL.
    var proposed: BasicCredential? {
        guard let credential = challenge.proposedCredential, let user = credential.user, let password = credential.password else {
            return nil
        }
        return BasicCredential(username: user, password: password)
    }
}

extension URL {
    /// Without user information, query and fragment.
    var withoutSecrets: URL? {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
        components.user = nil
        components.password = nil
        components.query = nil
        components.fragment = nil
        return components.url
    }
}
