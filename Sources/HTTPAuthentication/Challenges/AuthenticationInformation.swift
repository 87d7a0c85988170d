// SPDX-License-Identifier: MIT

/// What `Authentication-Info` or `Proxy-Authentication-Info` says (RFC 7615; Digest's parameters: RFC 7616, 3.5).
package struct AuthenticationInformation: Sendable, Hashable {
    package let parameters: [Challenge.Parameter]

    package init(parameters: [Challenge.Parameter]) { self.parameters = parameters }

    /// - Throws: ``HTTPAuthenticationError`` if a field is malformed, repeats a parameter or passes a limit.
    package static func parse(_ fieldValues: [String]) throws(HTTPAuthenticationError) -> Self {
        try ChallengeParser().information(in: fieldValues)
    }

    package subscript(_ name: String) -> String? {
        let name = ASCII.lowercased(name)
        return parameters.first { $0.name == name }?.value
    }

    /// The nonce to use from the next request on.
    package var nextNonce: String? { self["nextnonce"] }
    /// The server's proof that it knows the password.
    package var responseAuthentication: String? { self["rspauth"] }
    package var qualityOfProtection: String? { self["qop"] }
    package var clientNonce: String? { self["cnonce"] }
    package var nonceCount: String? { self["nc"] }
}
