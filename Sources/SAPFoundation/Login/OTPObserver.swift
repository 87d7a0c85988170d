// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gets a one-time password to the server, usually by asking a person; what it leaves is cookies.
public protocol OTPAuthentication: AnyObject {
    /// Does so for `session`; calls `completionHandler` once, from any thread.
    /// `response`: the response that asked for it.
    func authenticate(
        session: SAPURLSession, response: HTTPURLResponse, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
}

/// Recognises responses that ask for a one-time password (status 200 with `x-smp-authentication: otp-challenge`), has it entered once, and
/// sends the request again.
open class OTPObserver: SAPURLSessionObserving, @unchecked Sendable {  // settings are set before use, the rest guards itself
    private let authenticator: any OTPAuthentication
    private let flow = LoginResponseFlow()
    /// Is told about log-ins. Default: nobody. Set it before the observer is registered.
    public weak var authenticationHandler: (any AuthenticationHandling)?

    /// `authenticator`: held.
    public init(authenticator: any OTPAuthentication) { self.authenticator = authenticator }

    /// Whether `response` asks for a one-time password.
    open func isChallenge(dataTask: SAPURLSessionTask, response: HTTPURLResponse) -> Bool {
        response.statusCode == 200 && response.value(forHTTPHeaderField: "x-smp-authentication")?.lowercased() == "otp-challenge"
    }

    /// Has the password entered if the response asks for it.
    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse, isChallenge(dataTask: dataTask, response: response) else {
            return completionHandler(.allow)
        }
        flow.logIn(
            for: dataTask, in: session, by: self, named: "one-time password", handler: authenticationHandler,
            { authenticator.authenticate(session: session, response: response, completionHandler: $0) },
            completionHandler: completionHandler)
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
