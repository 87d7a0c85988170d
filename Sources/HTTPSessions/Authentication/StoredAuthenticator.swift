// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An authenticator whose credential is kept in a store, so that it outlives the program and several programs can share it.
///
/// A refresh holds the store's exclusive access from reading the stored credential until the new one is written: of several programs over
/// one `FileSecretStore` one refreshes, and a refresh token that can be used once is sent once. If another program has refreshed meanwhile,
/// its credential is taken. Make it with
/// ``AuthenticationInterceptor/init(authenticator:storedIn:key:initially:refreshWindow:onSaveFailure:)``.
public final class StoredAuthenticator<Base: Authenticator>: Authenticator where Base.Credential: Codable & Equatable {
    private let base: Base
    private let value: StoredValue<Base.Credential>

    /// Has `base` sign requests and refresh what `value` keeps.
    public init(_ base: Base, keeping value: StoredValue<Base.Credential>) {
        self.base = base
        self.value = value
    }

    /// Signs the request as the authenticator underneath does.
    public func apply(_ credential: Base.Credential, to urlRequest: inout URLRequest) { base.apply(credential, to: &urlRequest) }

    /// Takes the stored credential if it is another one that needs no refresh; otherwise has it refreshed and stores the new one.
    public func refresh(
        _ credential: Base.Credential, for session: Session,
        completion: @escaping @Sendable (Result<Base.Credential, any Error>) -> Void
    ) {
        Task { [base, value] in
            do {
                let fresh = try await value.renew(credential, isUsable: { !$0.requiresRefresh }) { stored in
                    try await awaitingCallback(onCancel: {}) { base.refresh(stored, for: session, completion: $0) }.get()
                }
                completion(.success(fresh))
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// What the authenticator underneath says.
    public func didRequest(
        _ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error
    ) -> Bool {
        base.didRequest(urlRequest, with: response, failDueToAuthenticationError: error)
    }

    /// What the authenticator underneath says.
    public func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Base.Credential) -> Bool {
        base.isRequest(urlRequest, authenticatedWith: credential)
    }
}

extension AuthenticationInterceptor {
    /// An interceptor that signs with the credential kept in a store, and keeps there what refreshes bring.
    ///
    /// The store is read here, on the calling thread. Without a credential in it requests fail with
    /// ``AuthenticationError/missingCredential``: sign in, save the credential with `StoredValue.save(_:)`, then set ``credential``.
    /// Setting ``credential`` alone does not change the store.
    ///
    /// `initial` is refreshed while nothing is stored, for credentials that are had without anybody signing in, such as a client's own.
    /// `refreshWindow`: `nil` sets no limit. `onSaveFailure` is told, on any thread, that a refreshed credential could not be stored; it is
    /// used all the same.
    /// - Throws: what the store throws.
    public convenience init<Base: Authenticator>(
        authenticator: Base, storedIn store: any SecretStore, key: String, initially initial: Base.Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow(),
        onSaveFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws where AuthenticatorType == StoredAuthenticator<Base> {
        let value = StoredValue(Base.Credential.self, in: store, under: key, initially: initial, onSaveFailure: onSaveFailure)
        self.init(
            authenticator: StoredAuthenticator(authenticator, keeping: value), credential: try value.currentNow(),
            refreshWindow: refreshWindow)
    }
}

extension StoredAuthenticator: CustomReflectable {
    /// Without children, since the authenticator underneath may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
