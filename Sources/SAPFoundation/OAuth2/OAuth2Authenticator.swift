// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gets tokens by an authorization code with PKCE (RFC 6749, 4.1; RFC 7636), or by client credentials (RFC 6749, 4.4).
///
/// Use a session of its own: one whose observers need the tokens would wait for itself.
public class OAuth2Authenticator: OAuth2Authentication, @unchecked Sendable {  // what changes is behind `state`
    private enum Grant {
        case authorizationCode(OAuth2AuthenticationParameters, any WebViewPresenting)
        case clientCredentials(OAuth2ClientCredentialsAuthenticationParameters)
    }

    private struct State {
        var allowsPlaintextTransport = false
        var isAuthenticating = false
        /// The requests under way.
        var tasks: [Int: Task<Void, Never>] = [:]
        var taskCount = 0
        /// Ends the log-in under way.
        var cancel: (@Sendable () -> Void)?
        /// Raised by ``cancelAuthentication()``.
        var generation = 0
    }

    private let grant: Grant
    private let session: SAPURLSession
    private let state = Locked(State())

    /// A person logs in on the page that `webViewPresenter` shows.
    public init(
        authenticationParameters: OAuth2AuthenticationParameters, sapURLSession: SAPURLSession = SAPURLSession(),
        webViewPresenter: any WebViewPresenting
    ) {
        grant = .authorizationCode(authenticationParameters, webViewPresenter)
        session = sapURLSession
    }

    /// The client itself logs in; there is nobody to ask.
    public init(
        authenticationParameters: OAuth2ClientCredentialsAuthenticationParameters, sapURLSession: SAPURLSession = SAPURLSession()
    ) {
        grant = .clientCredentials(authenticationParameters)
        session = sapURLSession
    }

    /// Whether the authorization server may be on another machine without TLS, where everybody on the way can read secrets and tokens.
    /// Default: `false`; requests to it fail with ``OAuth2Error/invalidArgument(detail:)`` then.
    public var allowsPlaintextTransport: Bool {
        get { state.withLock { $0.allowsPlaintextTransport } }
        set { state.withLock { $0.allowsPlaintextTransport = newValue } }
    }

    /// Gets a token. While that is under way, another call fails with ``OAuth2Error/authenticationInProgress``.
    public func authenticate(completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
        let generation = state.withLock { state -> Int? in
            if state.isAuthenticating { return nil }
            state.isAuthenticating = true
            return state.generation
        }
        guard let generation else { return completionHandler(nil, OAuth2Error.authenticationInProgress) }
        let once = AnswerOnce<Result<OAuth2Token, any Error>>(hook: nil) { [state] result in
            let isWanted = state.withLock { state in
                guard generation == state.generation else { return false }
                state.isAuthenticating = false
                state.cancel = nil
                return true
            }
            Self.tell(isWanted ? result : .failure(OAuth2Error.cancelled), completionHandler)
        }
        state.withLock { state in
            if generation == state.generation { state.cancel = { once.give(.failure(OAuth2Error.cancelled)) } }
        }
        switch grant {
        case .clientCredentials(let parameters):
            let scopes = parameters.requestingScopes
            request(generation, { once.give($0) }) { client throws(OAuth2ClientError) in
                try await client.clientCredentials(scopes: scopes)
            }
        case .authorizationCode(let parameters, let presenter):
            authorize(parameters, presenter, generation) { once.give($0) }
        }
    }

    /// Gets another token with the refresh token of `token`; without one it fails with ``OAuth2Error/invalidArgument(detail:)``.
    public func refresh(token: OAuth2Token, completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
        let generation = state.withLock { $0.generation }
        request(generation, { Self.tell($0, completionHandler) }) { client throws(OAuth2ClientError) in
            try await client.refresh(token.response)
        }
    }

    /// Ends what is under way with ``OAuth2Error/cancelled`` and takes the log-in page away.
    public func cancelAuthentication() {
        let (tasks, cancel) = state.withLock { state in
            state.generation += 1
            state.isAuthenticating = false
            defer {
                state.tasks = [:]
                state.cancel = nil
            }
            return (state.tasks, state.cancel)
        }
        cancel?()
        for task in tasks.values { task.cancel() }
        if case .authorizationCode(_, let presenter) = grant { presenter.dismiss() }
    }

    // MARK: The client underneath

    private typealias Completion = @Sendable (Result<OAuth2Token, any Error>) -> Void

    private func client(sending sender: SessionMessageSender) -> OAuth2Client {
        let options = OAuth2Client.Options { $0.allowsPlaintextTransport = allowsPlaintextTransport }
        switch grant {
        case .authorizationCode(let parameters, _):
            return OAuth2Client(
                clientID: parameters.clientID, authentication: parameters.clientSecret.map { .secretBasic($0) } ?? .none,
                server: OAuth2AuthorizationServer(
                    authorizationEndpoint: parameters.authorizationEndpointURL, tokenEndpoint: parameters.tokenEndpointURL),
                sender: sender, options: options)
        case .clientCredentials(let parameters):
            // The parameters' own closure adds identifier and secret.
            return OAuth2Client(
                clientID: "", authentication: .external, server: OAuth2AuthorizationServer(tokenEndpoint: parameters.tokenEndpointURL),
                sender: sender, options: options)
        }
    }

    private func makeSender() -> SessionMessageSender {
        guard case .clientCredentials(let parameters) = grant else { return SessionMessageSender(session) }
        return SessionMessageSender(session, authorize: parameters.clientCredentialsHandler)
    }

    private func authorize(
        _ parameters: OAuth2AuthenticationParameters, _ presenter: any WebViewPresenting, _ generation: Int,
        _ completion: @escaping Completion
    ) {
        let login: OAuth2AuthorizationRequest
        do throws(OAuth2ClientError) {
            login = try client(sending: makeSender()).authorizationRequest(
                redirectURL: parameters.redirectURL, scopes: parameters.requestingScopes)
        } catch {
            return completion(.failure(OAuth2Error.of(error)))
        }
        presenter.present(login.pageURL, redirectURL: parameters.redirectURL) { [self] url, error in
            if let error { return completion(.failure(error is OAuth2Error ? error : OAuth2Error.webView(error: error))) }
            guard let url else { return completion(.failure(OAuth2Error.authorizationCode)) }
            request(generation, completion) { client throws(OAuth2ClientError) in
                try await client.token(for: login, redirectedTo: url)
            }
        }
    }

    private func request(
        _ generation: Int, _ completion: @escaping Completion,
        _ operation: @escaping @Sendable (OAuth2Client) async throws(OAuth2ClientError) -> OAuth2TokenResponse
    ) {
        let sender = makeSender()
        let client = client(sending: sender)
        let isWanted = state.withLock { state in
            guard state.generation == generation else { return false }
            state.taskCount += 1
            let number = state.taskCount
            state.tasks[number] = Task { [state = self.state] in
                let result: Result<OAuth2Token, any Error>
                do throws(OAuth2ClientError) {
                    result = .success(OAuth2Token(try await operation(client)))
                } catch {
                    result = .failure(sender.publicError(for: error))
                }
                _ = state.withLock { $0.tasks.removeValue(forKey: number) }
                completion(result)
            }
            return true
        }
        if !isWanted { completion(.failure(OAuth2Error.cancelled)) }
    }

    private static func tell(_ result: Result<OAuth2Token, any Error>, _ completionHandler: (OAuth2Token?, (any Error)?) -> Void) {
        switch result {
        case .success(let token): completionHandler(token, nil)
        case .failure(let error): completionHandler(nil, error)
        }
    }
}

extension OAuth2Authenticator: CustomReflectable {
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
