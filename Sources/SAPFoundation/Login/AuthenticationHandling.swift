// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// An app's hook between a credential that was got and the requests that wait for it, such as one that registers the user with the server.
public protocol AuthenticationHandling: AnyObject {
    /// Somebody was logged in. All requests of the session wait until `completionHandler` is called; an error fails them.
    ///
    /// `requestBypassIdentifier`: goes into ``SAPURLSessionTask/requestBypassIdentifier`` of requests that this hook sends itself, so that
    ///   they do not wait for it.
    func authenticationObserver(
        _ observer: any SAPURLSessionObserving, didAuthenticate session: SAPURLSession, requestBypassIdentifier: UUID,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Nobody could be logged in.
    func authenticationObserver(_ observer: any SAPURLSessionObserving, didFailToAuthenticate session: SAPURLSession, error: any Error)
}

extension SAPURLSession {
    /// For observers that log in: tells `handler` and holds the session's requests back until it has answered.
    ///
    /// Without a handler `completionHandler` is called at once. ``BasicAuthenticationObserver`` does not do this by itself.
    public func didAuthenticate(
        _ observer: any SAPURLSessionObserving, handler: (any AuthenticationHandling)?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let handler else { return completionHandler(nil) }
        let identifier = UUID()
        gate.close(with: identifier)
        let once = AnswerOnce<(any Error)?>(hook: "didAuthenticate") { [gate] error in
            gate.open(with: identifier, error: error)
            completionHandler(error)
        }
        handler.authenticationObserver(observer, didAuthenticate: self, requestBypassIdentifier: identifier) { once.give($0) }
    }
}
