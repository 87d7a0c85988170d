// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// A client of an authorization server: gets tokens, renews and revokes them (RFC 6749, 7636, 8252, 8628, 7009).
///
/// ```swift
/// let client = OAuth2Client(clientID: "tool", server: server, transport: transport)
/// let token = try await client.clientCredentials()
/// ```
///
/// It keeps no token: a store, or an authenticator that signs requests, does. Every failure is an ``OAuth2ClientError``; a task that is
/// cancelled ends in one of kind ``OAuth2ClientError/Kind/cancelled``. It can be used by many tasks at once.
public struct OAuth2Client: Sendable {
    /// What a client allows and how long it waits; each has a default.
    public struct Options: Sendable {
        /// For one request to the server, from its beginning to the last byte of the answer. Default: 30 s.
        public var requestTimeout: Duration = .seconds(30)
        /// The most bytes of an answer that are taken. Default: 256 KiB.
        public var contentLimit = 262_144
        /// Whether endpoints may be plain http on another machine, where everybody on the way can read secrets and tokens. Default:
        /// `false`; http to this machine is always allowed.
        public var allowsPlaintextTransport = false
        /// What the waits are measured with. Default: the system's continuous clock.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// The date, for the end of tokens and codes. Default: the system's.
        public var now: @Sendable () -> Date = { Date() }

        /// The defaults, changed by `change`.
        public init(_ change: (inout Options) -> Void = { _ in }) { change(&self) }
    }

    /// The client's identifier at the server (RFC 6749, 2.2).
    public let clientID: String
    /// How it shows who it is.
    public let authentication: OAuth2ClientAuthentication
    /// Whom it asks.
    public let server: OAuth2AuthorizationServer
    /// What it allows and how long it waits.
    public let options: Options
    let exchange: OAuth2Exchange

    /// A client whose requests go over `transport`, which is not shut down by it.
    ///
    /// Nothing is sent before a grant is asked for.
    public init(
        clientID: String, authentication: OAuth2ClientAuthentication = .none, server: OAuth2AuthorizationServer,
        transport: any HTTPTransport, options: Options = Options()
    ) {
        self.init(
            clientID: clientID, authentication: authentication, server: server, sender: TransportMessageSender(transport: transport),
            options: options)
    }

    package init(
        clientID: String, authentication: OAuth2ClientAuthentication, server: OAuth2AuthorizationServer,
        sender: any OAuth2MessageSending, options: Options = Options()
    ) {
        self.clientID = clientID
        self.authentication = authentication
        self.server = server
        self.options = options
        exchange = OAuth2Exchange(sender: sender, options: options)
    }

    // MARK: Grants without a person

    /// A token for the client itself (RFC 6749, 4.4).
    /// - Parameters:
    ///   - scopes: what the token is to be good for; empty leaves that to the server.
    ///   - additionalParameters: what the server wants besides, such as `audience`.
    public func clientCredentials(
        scopes: Set<String> = [], additionalParameters: [String: String] = [:]
    ) async throws(OAuth2ClientError) -> OAuth2TokenResponse {
        let additional = try checked(additionalParameters)
        return try await requestToken(
            [("grant_type", "client_credentials")] + Self.scope(scopes) + additional, scopes: scopes,
            "The request for a token of the client")
    }

    /// Another token in the place of `token`, by its refresh token (RFC 6749, 6).
    ///
    /// The new token's refresh token replaces the old one, which a server that rotates them takes no more; if the server sends none, the
    /// old one is carried over. Have one refresh under way at a time.
    /// - Parameter scopes: fewer than the token has, or empty for the same.
    /// - Throws: ``OAuth2ClientError``; of kind ``OAuth2ClientError/Kind/invalidGrant`` when the person has to log in again.
    public func refresh(
        _ token: OAuth2TokenResponse, scopes: Set<String> = []
    ) async throws(OAuth2ClientError) -> OAuth2TokenResponse {
        let attempt = "The refresh of the token"
        guard let refreshToken = token.refreshToken, !refreshToken.isEmpty else {
            throw OAuth2ClientError(
                .missingRefreshToken, attempting: attempt, "the token came without a refresh token; get another token by logging in again")
        }
        return try await requestToken(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken)] + Self.scope(scopes),
            scopes: scopes.isEmpty ? token.scopes : scopes, attempt, hiding: [refreshToken, token.accessToken]
        ).keepingRefreshToken(of: token)
    }

    // MARK: The token endpoint

    func requestToken(
        _ parameters: [(name: String, value: String)], scopes: Set<String>, _ attempt: String, hiding secrets: [String] = []
    ) async throws(OAuth2ClientError) -> OAuth2TokenResponse {
        let begin = options.now()
        let answer = try await post(parameters, to: server.tokenEndpoint, named: "token endpoint", attempt, hiding: secrets)
        return try answer.token(requestedScopes: scopes, requestedAt: begin)
    }

    /// Posts a form to an endpoint, with the client's authentication.
    func post(
        _ parameters: [(name: String, value: String)], to endpoint: URL?, named name: String, _ attempt: String, hiding secrets: [String]
    ) async throws(OAuth2ClientError) -> OAuth2Answer {
        guard let endpoint else {
            throw OAuth2ClientError(
                .missingEndpoint, attempting: attempt, "the authorization server's \(name) is not known; give it, or discover the server")
        }
        var message = OAuth2Message(method: "POST", url: endpoint)
        message.fields["Content-Type"] = "application/x-www-form-urlencoded"
        var parameters = parameters
        authentication.apply(clientID: clientID, to: &parameters, &message)
        message.content = Data(FormText.make(parameters).utf8)
        return try await exchange.send(
            message, attempting: "\(attempt) at \(endpoint.redactedDescription)",
            hiding: secrets + authentication.secrets(clientID: clientID))
    }

    static func scope(_ scopes: Set<String>) -> [(name: String, value: String)] {
        scopes.isEmpty ? [] : [("scope", scopes.sorted().joined(separator: " "))]
    }

    /// The caller's own parameters in a fixed order.
    func checked(_ parameters: [String: String]) throws(OAuth2ClientError) -> [(name: String, value: String)] {
        if let name = parameters.keys.first(where: { Self.reserved.contains($0) }) {
            throw OAuth2ClientError(
                .invalidArgument, attempting: "A request of the client", "the parameter “\(name)” is set by the client itself; leave it out"
            )
        }
        return parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static let reserved: Set<String> = [
        "client_id", "client_secret", "grant_type", "scope", "code", "redirect_uri", "code_verifier", "code_challenge",
        "code_challenge_method", "response_type", "state", "refresh_token", "device_code",
    ]
}

extension OAuth2Client: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier and the token endpoint, without the secret.
    public var description: String {
        "OAuth2Client(\(clientID), \(authentication), \(server.tokenEndpoint?.redactedDescription ?? "no token endpoint"))"
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["client": description], displayStyle: .struct) }
}
