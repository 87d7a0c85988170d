// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// One log-in by authorization code: the page to show, and what belongs to its answer (RFC 6749, 4.1; PKCE with S256, RFC 7636).
///
/// Show ``pageURL`` in the system's browser, not in a view of the program's own (RFC 8252, 8.12), and hand what it leads to to
/// ``OAuth2Client/token(for:redirectedTo:)``. It is good for one answer and prints no secret.
public final class OAuth2AuthorizationRequest: Sendable {
    /// The page on which the person logs in. It holds the log-in's `state`; write it nowhere but into a browser.
    public let pageURL: URL
    /// Where the page leads to at its end.
    public let redirectURL: URL
    let scopes: Set<String>
    let verifier: String
    private let state: String
    private let issuer: String?
    private let requiresIssuer: Bool
    private let isUsed = Locked(false)
    private static let attempt = "The log-in by authorization code"

    init(
        clientID: String, server: OAuth2AuthorizationServer, endpoint: URL, redirectURL: URL, scopes: Set<String>,
        additionalParameters: [(name: String, value: String)]
    ) throws(OAuth2ClientError) {
        self.redirectURL = redirectURL
        self.scopes = scopes
        issuer = server.issuer
        requiresIssuer = server.namesIssuerInRedirects
        let challenge: String
        do {
            // 256 bits each: 43 characters (RFC 7636, 4.1; RFC 6749, 10.10).
            state = Base64URL.string(try SecureRandom.bytes(32))
            verifier = Base64URL.string(try SecureRandom.bytes(32))
            challenge = Base64URL.string(try HashFunction.sha256.hash(Array(verifier.utf8)))
        } catch {
            throw OAuth2ClientError(.cryptographyUnavailable, attempting: Self.attempt, "\(error)", underlyingError: error)
        }
        let parameters: [(name: String, value: String)] =
            [
                ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURL.absoluteString), ("state", state),
                ("code_challenge", challenge), ("code_challenge_method", "S256"),
            ] + OAuth2Client.scope(scopes) + additionalParameters
        // A query that the endpoint has stays (RFC 6749, 3.1).
        let text = endpoint.absoluteString
        let joint = endpoint.query(percentEncoded: true).map { $0.isEmpty ? "" : "&" } ?? "?"
        guard let url = URL(string: text + joint + FormText.make(parameters)) else {
            throw OAuth2ClientError(.invalidArgument, attempting: Self.attempt, "the authorization endpoint and the parameters make no URL")
        }
        pageURL = url
    }

    /// The code in the URL that the page led to; for one call that succeeds or is refused by the server.
    package func code(in url: URL) throws(OAuth2ClientError) -> String {
        let query = try query(of: url)
        // The state first: an answer to another log-in has nothing to say here (RFC 6749, 10.12).
        guard let answered = query["state"], answered == state else {
            throw Self.error(
                .stateMismatch, "the redirect is not the answer to this log-in, since its state is missing or another one; log in again")
        }
        try checkIssuer(query["iss"])
        let wasUsed = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return isUsed
        }
        guard !wasUsed else {
            throw Self.error(.alreadyUsed, "the answer to this log-in was used before, and is good for one time; log in again")
        }
        if let code = query["error"] {
            throw OAuth2ClientError.refusal(
                code: code, description: query["error_description"], uri: query["error_uri"], status: nil, attempting: Self.attempt,
                hiding: [state, verifier] + [query["code"]].compactMap { $0 })
        }
        guard let code = query["code"], !code.isEmpty else {
            throw Self.error(.malformedRedirect, "the redirect brings no code; log in again")
        }
        return code
    }

    private func query(of url: URL) throws(OAuth2ClientError) -> [String: String] {
        guard isRedirect(url), let components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw Self.error(.malformedRedirect, "the URL is not the redirect that was asked for, \(redirectURL.redactedDescription)")
        }
        var query: [String: String] = [:]
        // In a form a plus is a space (RFC 6749, appendix B).
        for item in (components.percentEncodedQuery ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: "%20").removingPercentEncoding
            }
            guard let name = parts[0], let value = parts.count > 1 ? parts[1] : "" else {
                throw Self.error(.malformedRedirect, "a parameter of the redirect cannot be read; log in again")
            }
            // A parameter that comes twice is somebody's trick (RFC 6749, 3.1).
            guard query.updateValue(value, forKey: name) == nil else {
                throw Self.error(.malformedRedirect, "the redirect has a parameter twice; log in again")
            }
        }
        return query
    }

    /// Whose answer it is (RFC 9207, 2.4): so that a code is not sent to another server than the one that gave it.
    private func checkIssuer(_ named: String?) throws(OAuth2ClientError) {
        guard let issuer else { return }
        if let named, named != issuer {
            throw Self.error(
                .issuerMismatch, "the redirect is the answer of another authorization server; do not go on with it, log in again")
        }
        if named == nil, requiresIssuer {
            throw Self.error(
                .issuerMismatch,
                "the redirect does not say which authorization server it comes from, though this server always does; log in again")
        }
    }

    private func isRedirect(_ url: URL) -> Bool {
        url.scheme?.lowercased() == redirectURL.scheme?.lowercased() && url.host?.lowercased() == redirectURL.host?.lowercased()
            && url.port == redirectURL.port && Self.path(url) == Self.path(redirectURL)
    }

    private static func path(_ url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    private static func error(_ kind: OAuth2ClientError.Kind, _ reason: String) -> OAuth2ClientError {
        OAuth2ClientError(kind, attempting: attempt, reason)
    }
}

extension OAuth2AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The page without its query.
    public var description: String { "OAuth2AuthorizationRequest(\(pageURL.redactedDescription))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
