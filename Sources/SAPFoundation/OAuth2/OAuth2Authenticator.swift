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
        case clientCredentials(scopes: Set<String>)
    }

    private struct State {
        var isAuthenticating = false
        var task: SAPURLSessionTask?
        /// Ends the log-in under way.
        var cancel: (@Sendable () -> Void)?
        /// Raised by ``cancelAuthentication()``.
        var generation = 0
    }

    private let grant: Grant
    private let endpoint: OAuth2TokenEndpoint
    private let state = Locked(State())

    /// A person logs in on the page that `webViewPresenter` shows.
    public init(
        authenticationParameters: OAuth2AuthenticationParameters, sapURLSession: SAPURLSession = SAPURLSession(),
        webViewPresenter: any WebViewPresenting
    ) {
        grant = .authorizationCode(authenticationParameters, webViewPresenter)
        endpoint = OAuth2TokenEndpoint(url: authenticationParameters.tokenEndpointURL, session: sapURLSession) { request in
            guard let secret = authenticationParameters.clientSecret else { return request }
            return OAuth2TokenEndpoint.authorized(request, clientID: authenticationParameters.clientID, clientSecret: secret)
        }
    }

    /// The client itself logs in; there is nobody to ask.
    public init(
        authenticationParameters: OAuth2ClientCredentialsAuthenticationParameters, sapURLSession: SAPURLSession = SAPURLSession()
    ) {
        grant = .clientCredentials(scopes: authenticationParameters.requestingScopes)
        endpoint = OAuth2TokenEndpoint(
            url: authenticationParameters.tokenEndpointURL, session: sapURLSession,
            authorize: authenticationParameters.clientCredentialsHandler)
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
                state.task = nil
                state.cancel = nil
                return true
            }
            Self.tell(isWanted ? result : .failure(OAuth2Error.cancelled), completionHandler)
        }
        state.withLock { state in
            if generation == state.generation { state.cancel = { once.give(.failure(OAuth2Error.cancelled)) } }
        }
        switch grant {
        case .clientCredentials(let scopes):
            request([("grant_type", "client_credentials")] + Self.scope(scopes), generation) { once.give($0) }
        case .authorizationCode(let parameters, let presenter):
            authorize(parameters, presenter, generation) { once.give($0) }
        }
    }

    /// Gets another token with the refresh token of `token`; without one it fails with ``OAuth2Error/invalidArgument(detail:)``.
    public func refresh(token: OAuth2Token, completionHandler: @escaping @Sendable (OAuth2Token?, (any Error)?) -> Void) {
        guard let refreshToken = token.refreshToken else {
            return completionHandler(nil, OAuth2Error.invalidArgument(detail: "the token has no refresh token"))
        }
        var parameters = [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
        if case .authorizationCode(let client, _) = grant, client.clientSecret == nil { parameters.append(("client_id", client.clientID)) }
        let generation = state.withLock { $0.generation }
        request(parameters, generation) { Self.tell($0, completionHandler) }
    }

    /// Ends what is under way with ``OAuth2Error/cancelled`` and takes the log-in page away.
    public func cancelAuthentication() {
        let (task, cancel) = state.withLock { state in
            state.generation += 1
            state.isAuthenticating = false
            defer {
                state.task = nil
                state.cancel = nil
            }
            return (state.task, state.cancel)
        }
        cancel?()
        task?.cancel()
        if case .authorizationCode(_, let presenter) = grant { presenter.dismiss() }
    }

    // MARK: The authorization code

    private func authorize(
        _ parameters: OAuth2AuthenticationParameters, _ presenter: any WebViewPresenting, _ generation: Int,
        _ completion: @escaping OAuth2TokenEndpoint.Completion
    ) {
        let login: AuthorizationCodeLogin
        do {
            login = try AuthorizationCodeLogin(parameters)
        } catch {
            return completion(.failure(error))
        }
        presenter.present(login.pageURL, redirectURL: parameters.redirectURL) { [self] url, error in
            if let error { return completion(.failure(error is OAuth2Error ? error : OAuth2Error.webView(error: error))) }
            guard let url else { return completion(.failure(OAuth2Error.authorizationCode)) }
            do {
                request(login.tokenParameters(code: try login.code(in: url)), generation, completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func request(
        _ parameters: [(String, String)], _ generation: Int, _ completion: @escaping OAuth2TokenEndpoint.Completion
    ) {
        guard state.withLock({ $0.generation }) == generation else { return completion(.failure(OAuth2Error.cancelled)) }
        let task = endpoint.request(parameters.map { ($0.0, $0.1) }, completion)
        let isWanted = state.withLock { state in
            guard state.generation == generation else { return false }
            if state.isAuthenticating { state.task = task }
            return true
        }
        if !isWanted { task?.cancel() }
    }

    static func scope(_ scopes: Set<String>) -> [(String, String)] {
        scopes.isEmpty ? [] : [("scope", scopes.sorted().joined(separator: " "))]
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
