// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Signs requests with a credential and refreshes it: once, for however many requests wait.
///
/// A credential that ``AuthenticationCredential/requiresRefresh`` is refreshed before requests are sent, one that a server refuses after. A
/// request that was refused with an older credential is sent again with the one at hand, without another refresh. A failed refresh fails
/// all that wait for it; the next request tries anew.
public final class AuthenticationInterceptor<AuthenticatorType: Authenticator>: RequestInterceptor {
    /// What requests are signed with.
    public typealias Credential = AuthenticatorType.Credential

    /// How often credentials may be refreshed.
    public struct RefreshWindow: Sendable {
        /// The seconds that are looked back. Default: 30.
        public let interval: TimeInterval
        /// How many refreshes may begin within them. Default: 5.
        public let maximumAttempts: Int

        /// A window; more refreshes within it fail with ``AuthenticationError/excessiveRefresh``.
        public init(interval: TimeInterval = 30, maximumAttempts: Int = 5) {
            self.interval = interval
            self.maximumAttempts = maximumAttempts
        }
    }

    private let authenticator: AuthenticatorType
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Locked<RefreshState<Credential>>

    /// An interceptor that signs with `credential`, which may also be set later. `refreshWindow`: `nil` sets no limit.
    public convenience init(
        authenticator: AuthenticatorType, credential: Credential? = nil, refreshWindow: RefreshWindow? = RefreshWindow()
    ) {
        self.init(authenticator: authenticator, credential: credential, refreshWindow: refreshWindow) { .now }
    }

    init(
        authenticator: AuthenticatorType, credential: Credential?, refreshWindow: RefreshWindow?,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.authenticator = authenticator
        self.now = now
        state = Locked(
            RefreshState(
                credential: credential,
                limit: refreshWindow.map { RefreshLimit(interval: .seconds($0.interval), maximumAttempts: $0.maximumAttempts) }))
    }

    /// What requests are signed with. Setting it does not touch a refresh that is under way, whose result replaces it.
    public var credential: Credential? {
        get { state.withLock { $0.credential } }
        set { change { $0.set(newValue) } }
    }

    /// Signs the request, after a refresh if the credential needs one.
    public func adapt(
        _ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        // Asked outside the lock, since the credential's type is the caller's.
        let (credential, version) = state.withLock { ($0.credential, $0.version) }
        let requiresRefresh = credential?.requiresRefresh ?? false
        let authenticator = authenticator
        let decision = change { state in
            state.requestArrived(requiresRefresh: requiresRefresh, version: version, now: now()) { result in
                completion(
                    result.map { credential in
                        var signed = urlRequest
                        authenticator.apply(credential, to: &signed)
                        return signed
                    })
            }
        }
        carryOut(decision, in: session)
    }

    /// Has the request sent again if a newer credential, or a refresh, is likely to help.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let urlRequest = request.request, let response = request.response,
            authenticator.didRequest(urlRequest, with: response, failDueToAuthenticationError: error)
        else { return completion(.doNotRetry) }
        let (credential, version) = state.withLock { ($0.credential, $0.version) }
        guard let credential else { return completion(.doNotRetryWithError(AuthenticationError.missingCredential)) }
        guard authenticator.isRequest(urlRequest, authenticatedWith: credential) else { return completion(.retry) }
        let decision = change { state in
            state.requestWasRefused(version: version, now: now()) { result in
                switch result {
                case .success: completion(.retry)
                case .failure(let error): completion(.doNotRetryWithError(error))
                }
            }
        }
        carryOut(decision, in: session)
    }

    /// Lets go of what the change has replaced when the lock is free: the credential's type is the caller's, and may use the interceptor.
    private func change<Result>(_ body: (inout RefreshState<Credential>) -> Result) -> Result {
        let (result, replaced) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeReplaced())
        }
        withExtendedLifetime(replaced) {}
        return result
    }

    private func carryOut(_ decision: RefreshState<Credential>.Decision, in session: Session) {
        switch decision {
        case .wait: break
        case .call(let waiter, let result): waiter(result)
        case .refresh(let credential, let number):
            authenticator.refresh(credential, for: session) { [self] result in
                let waiters = change { $0.refreshEnded(number, result) }
                for waiter in waiters { waiter(result) }
            }
        }
    }
}

extension AuthenticationInterceptor: CustomReflectable {
    /// Without children, since the authenticator may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
