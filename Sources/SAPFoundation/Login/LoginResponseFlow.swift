// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// What observers have in common that recognise a response as a request to log in: one log-in for all who need it, then a resend; asked for
/// once more right after that, the task fails.
final class LoginResponseFlow: Sendable {
    typealias LogIn = (_ completionHandler: @escaping @Sendable ((any Error)?) -> Void) -> Void

    private let resent = Locked<Set<UUID>>([])
    private let flights = SingleFlight<ObjectIdentifier, Void>()

    /// `name`: of what is asked for, for the error's text.
    func logIn(
        for task: SAPURLSessionTask, in session: SAPURLSession, by observer: any SAPURLSessionObserving, named name: String,
        handler: (any AuthenticationHandling)?, _ logIn: LogIn,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        let taskID = task.taskID
        let isFirst = resent.withLock { resent in resent.insert(taskID).inserted }
        guard isFirst else { return completionHandler(.cancel(SAPLoginError.repeated(name))) }
        let observing = Observing(observer: observer, handler: handler)
        flights.join(ObjectIdentifier(session)) { result in
            switch result {
            case .success: completionHandler(.resend)
            case .failure(let error): completionHandler(.cancel(error))
            }
        } work: { finish in
            logIn { error in
                if let error {
                    observing.handler?.authenticationObserver(observing.observer, didFailToAuthenticate: session, error: error)
                    return finish(.failure(error))
                }
                session.didAuthenticate(observing.observer, handler: observing.handler) { error in
                    finish(error.map { .failure($0) } ?? .success(()))
                }
            }
        }
    }

    func forget(_ task: SAPURLSessionTask) {
        let taskID = task.taskID
        resent.withLock { resent in _ = resent.remove(taskID) }
    }

    private struct Observing: @unchecked Sendable {  // handed on, not touched here
        let observer: any SAPURLSessionObserving
        let handler: (any AuthenticationHandling)?
    }
}

/// Why a log-in did not help.
public enum SAPLoginError: SAPError {
    /// The server asked for a log-in of this kind again right after one had succeeded.
    case repeated(String)

    /// One sentence.
    public var description: String {
        switch self {
        case .repeated(let name): "The server asks for a \(name) log-in again, right after one has succeeded; cookies may not be shared."
        }
    }
}
