// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where a SAML log-in begins and ends, and how a response asks for one.
public struct SAMLAuthenticationParameters: Sendable, Hashable {
    /// The page to begin with.
    public let authorizationEndpointURL: URL
    /// The page that ends the log-in.
    public let finishEndpointURL: URL
    /// The field of a response that asks for a log-in. Default: `com.sap.cloud.security.login`.
    public let challengeHeaderName: String
    /// Its value. Default: `login-request`.
    public let challengeHeaderValue: String

    /// Parameters of one server.
    public init(
        authorizationEndpointURL: URL, finishEndpointURL: URL, challengeHeaderName: String = "com.sap.cloud.security.login",
        challengeHeaderValue: String = "login-request"
    ) {
        self.authorizationEndpointURL = authorizationEndpointURL
        self.finishEndpointURL = finishEndpointURL
        self.challengeHeaderName = challengeHeaderName
        self.challengeHeaderValue = challengeHeaderValue
    }
}

/// Runs the pages of a SAML log-in. What it leaves is cookies, so it has to use the session's own storage.
public protocol SAMLAuthentication: AnyObject {
    /// Logs in for `session`; calls `completionHandler` once, from any thread.
    func authenticate(session: SAPURLSession, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Logs in with cookies that are there already, if they do; calls `completionHandler` once, from any thread.
    func authenticate(cookies: [HTTPCookie], completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Ends the log-in under way with an error.
    func cancelAuthentication()
}

/// Recognises responses that ask for a SAML log-in (status 200 with a field that says so), has it done once, and sends the request again.
open class SAMLObserver: SAPURLSessionObserving, @unchecked Sendable {  // settings are set before use, the rest guards itself
    private let authenticator: any SAMLAuthentication
    private let flow = LoginResponseFlow()
    /// How a response asks for a log-in.
    public let challengeHeaderName: String
    /// How a response asks for a log-in.
    public let challengeHeaderValue: String
    /// Is told about log-ins. Default: nobody. Set it before the observer is registered.
    public weak var authenticationHandler: (any AuthenticationHandling)?

    /// `authenticator`: held.
    public init(
        authenticator: any SAMLAuthentication, challengeHeaderName: String = "com.sap.cloud.security.login",
        challengeHeaderValue: String = "login-request"
    ) {
        self.authenticator = authenticator
        self.challengeHeaderName = challengeHeaderName
        self.challengeHeaderValue = challengeHeaderValue
    }

    /// Whether `response` asks for a log-in.
    open func isChallenge(dataTask: SAPURLSessionTask, response: HTTPURLResponse) -> Bool {
        response.statusCode == 200
            && response.value(forHTTPHeaderField: challengeHeaderName)?.lowercased() == challengeHeaderValue.lowercased()
    }

    /// Logs in if the response asks for it.
    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse, isChallenge(dataTask: dataTask, response: response) else {
            return completionHandler(.allow)
        }
        flow.logIn(
            for: dataTask, in: session, by: self, named: "SAML", handler: authenticationHandler,
            { authenticator.authenticate(session: session, completionHandler: $0) }, completionHandler: completionHandler)
    }

    /// Forgets the task.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        flow.forget(task)
        completionHandler()
    }
}
