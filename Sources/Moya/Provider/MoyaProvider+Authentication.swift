// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MoyaProvider {
    /// A provider whose requests are signed by `interceptor`, which renews the credential once for all that wait.
    ///
    /// 401 is an error to it, whatever ``TargetType/validationType`` accepts: the request is sent again with a new credential, and fails
    /// if that is refused as well. Other parameters are those of the plain initializer. For a session of your own, give that one the
    /// interceptor and this initializer is not needed.
    public convenience init<AuthenticatorType: Authenticator>(
        authenticatedBy interceptor: AuthenticationInterceptor<AuthenticatorType>,
        endpointClosure: @escaping EndpointClosure = { MoyaProvider.defaultEndpointMapping(for: $0) },
        requestClosure: @escaping RequestClosure = { MoyaProvider.defaultRequestMapping(for: $0, closure: $1) },
        stubClosure: @escaping StubClosure = { MoyaProvider.neverStub($0) }, callbackQueue: DispatchQueue? = nil,
        plugins: [any PluginType] = [], trackInflights: Bool = false
    ) {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        self.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure, stubClosure: stubClosure, callbackQueue: callbackQueue,
            session: AuthenticatedSession(configuration: configuration, startRequestsImmediately: false, interceptor: interceptor),
            plugins: plugins, trackInflights: trackInflights)
    }

    /// A provider whose requests carry an OAuth 2.0 access token, which is renewed before it ends and when it is refused, once for all
    /// that wait.
    ///
    /// ```swift
    /// let provider = MoyaProvider<Bank>(oauth2: client, token: token)
    /// ```
    /// A token goes over plain http to no other machine. To keep it, to limit it to origins, or to set a new one after a log-in, make an
    /// `AuthenticationInterceptor` and use
    /// ``init(authenticatedBy:endpointClosure:requestClosure:stubClosure:callbackQueue:plugins:trackInflights:)``.
    ///
    /// `token` is what a person's log-in brought; it is renewed by its refresh token. Without one the client's own credentials get the
    /// first token and those after it. `renewal` says otherwise.
    public convenience init(
        oauth2 client: OAuth2Client, token: OAuth2TokenResponse? = nil, renewal: OAuth2TokenAuthenticator.Renewal? = nil,
        plugins: [any PluginType] = []
    ) {
        let authenticator = OAuth2TokenAuthenticator(
            client: client, renewal: renewal ?? (token == nil ? .clientCredentials() : .refreshToken))
        self.init(
            authenticatedBy: AuthenticationInterceptor(authenticator: authenticator, credential: OAuth2Credential(token)), plugins: plugins)
    }
}
