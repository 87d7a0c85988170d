// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

/// One log-in by authorization code: the page to show, and what to make of where it leads (RFC 6749, 4.1; PKCE with S256, RFC 7636).
struct AuthorizationCodeLogin: Sendable {
    let pageURL: URL
    private let parameters: OAuth2AuthenticationParameters
    private let state: String
    private let verifier: String

    /// - Throws: ``OAuth2Error/invalidArgument(detail:)`` if the endpoint makes no URL; what randomness and hashing throw.
    init(_ parameters: OAuth2AuthenticationParameters) throws {
        self.parameters = parameters
        state = Self.base64URL(try SecureRandom.bytes(32))
        verifier = Self.base64URL(try SecureRandom.bytes(32))
        let challenge = Self.base64URL(try HashFunction.sha256.hash(Array(verifier.utf8)))
        var items = [
            ("response_type", "code"), ("client_id", parameters.clientID), ("redirect_uri", parameters.redirectURL.absoluteString),
            ("state", state), ("code_challenge", challenge), ("code_challenge_method", "S256"),
        ]
        items += OAuth2Authenticator.scope(parameters.requestingScopes)
        let query = items.map { "\($0.0)=\(OAuth2TokenEndpoint.escaped($0.1))" }.joined(separator: "&")
        guard var components = URLComponents(url: parameters.authorizationEndpointURL, resolvingAgainstBaseURL: true) else {
            throw OAuth2Error.invalidArgument(detail: "the authorization endpoint is not a URL")
        }
        components.percentEncodedQuery = [components.percentEncodedQuery, query].compactMap { $0 }.joined(separator: "&")
        guard let url = components.url else { throw OAuth2Error.invalidArgument(detail: "the authorization endpoint is not a URL") }
        pageURL = url
    }

    /// The code in the URL that the page led to.
    /// - Throws: ``OAuth2Error/server(error:)`` if it brings a refusal; ``OAuth2Error/authorizationCode`` if it is not the answer to this log-in.
    func code(in url: URL) throws -> String {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true), isRedirect(url) else {
            throw OAuth2Error.authorizationCode
        }
        func value(_ name: String) throws -> String? {
            let values = (components.queryItems ?? []).filter { $0.name == name }
            // A parameter that comes twice is somebody's trick (RFC 6749, 3.1).
            guard values.count < 2 else { throw OAuth2Error.authorizationCode }
            return values.first?.value
        }
        guard let answered = try value("state"), answered == state else { throw OAuth2Error.authorizationCode }
        if let error = try value("error") {
            throw OAuth2Error.server(
                error: OAuth2ServerError(error: error, errorDescription: try value("error_description"), errorURI: try value("error_uri")))
        }
        guard let code = try value("code"), !code.isEmpty else { throw OAuth2Error.authorizationCode }
        return code
    }

    func tokenParameters(code: String) -> [(String, String)] {
        var items = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", parameters.redirectURL.absoluteString),
            ("code_verifier", verifier),
        ]
        if parameters.clientSecret == nil { items.append(("client_id", parameters.clientID)) }
        return items
    }

    private func isRedirect(_ url: URL) -> Bool {
        url.scheme?.lowercased() == parameters.redirectURL.scheme?.lowercased()
            && url.host?.lowercased() == parameters.redirectURL.host?.lowercased() && url.port == parameters.redirectURL.port
            && Self.path(url) == Self.path(parameters.redirectURL)
    }

    private static func path(_ url: URL) -> String { url.path.isEmpty ? "/" : url.path }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
