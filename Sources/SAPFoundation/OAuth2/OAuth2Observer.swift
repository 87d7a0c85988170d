// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gives requests the access token of their origin, renews tokens that have expired or were refused, and logs in where there is none.
///
/// A request without a token is sent without one: the server decides whether it needs one (401 that offers Bearer). Whoever needs a new
/// token for the same origin at the same time shares one refresh or log-in. Tokens never go to another origin, redirects included, nor over
/// plain http to another machine unless ``allowsPlaintextTransport``. Register it behind observers that only add fields.
open class OAuth2Observer: SAPURLSessionObserving, @unchecked Sendable {  // what changes belongs to the flow
    private let flow: OAuth2Flow

    /// `tokenStore`: keeps tokens under the URL of the request that they are for, without user information, query and fragment.
    public init(authenticator: any OAuth2Authentication, tokenStore: any OAuth2TokenStore) {
        flow = OAuth2Flow(authenticator: authenticator, store: tokenStore)
    }

    #if os(Linux) || os(macOS)
    /// Logs in by an authorization code, with the page's URL on the controlling terminal (``TerminalWebViewPresenter``).
    public convenience init(authenticationParameters: OAuth2AuthenticationParameters, tokenStore: any OAuth2TokenStore) {
        self.init(
            authenticator: OAuth2Authenticator(
                authenticationParameters: authenticationParameters, webViewPresenter: TerminalWebViewPresenter()), tokenStore: tokenStore)
    }
    #endif

    /// Whether a token may go over an unencrypted connection to another machine. Default: `false`; such requests are sent without.
    public var allowsPlaintextTransport: Bool {
        get { flow.allowsPlaintextTransport.withLock { $0 } }
        set { flow.allowsPlaintextTransport.withLock { $0 = newValue } }
    }

    /// Is told about log-ins. Default: nobody. Set it before the observer is registered.
    public weak var authenticationHandler: (any AuthenticationHandling)?

    /// Adds the token, renewed if it has expired.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        flow.prepare(request, task: task.taskID) { completionHandler(.use($0)) }
    }

    /// Adds the token again where a redirect stays at the origin, or the one of where it goes.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (SAPURLSession.HTTPRedirectDisposition) -> Void
    ) {
        flow.prepare(request, task: task.taskID) { completionHandler(.follow($0)) }
    }

    /// Renews the token, or logs in, if the response asks for it, and sends the request again.
    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse, response.statusCode == 401, dataTask.requestBypassIdentifier == nil else {
            return completionHandler(.allow)
        }
        // With a field of the caller's own, what it says is the caller's business.
        let hasOwnField = dataTask.originalRequest?.value(forHTTPHeaderField: "Authorization") != nil
        flow.refused(response, task: dataTask.taskID, hasOwnField: hasOwnField) { [self] verdict in
            switch verdict {
            case .notMine: completionHandler(.allow)
            case .renewed: completionHandler(.resend)
            case .loggedIn:
                session.didAuthenticate(self, handler: authenticationHandler) { error in
                    completionHandler(error.map { .cancel($0) } ?? .resend)
                }
            case .failed(let error):
                authenticationHandler?.authenticationObserver(self, didFailToAuthenticate: session, error: error)
                completionHandler(.cancel(error))
            }
        }
    }

    /// Forgets the task.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        flow.forget(task.taskID)
        completionHandler()
    }
}

extension OAuth2Observer: TokenStoreManaging {
    /// Drops every token that this observer read or stored, then clears the store.
    public func clear() { flow.clear() }

    /// The token kept for `url`.
    public func get(for url: URL) throws -> OAuth2Token? { try flow.token(for: url) }
}

extension OAuth2Observer: CustomReflectable {
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
