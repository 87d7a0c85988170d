// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an ``Authenticator`` signs requests with, such as an access token and what renews it.
public protocol AuthenticationCredential {
    /// Whether it has expired, or is about to: then it is refreshed before the next request is sent.
    var requiresRefresh: Bool { get }
}

/// Knows how a credential goes into a request, how a refused request looks, and how a new credential is had.
///
/// ``AuthenticationInterceptor`` does the rest. Methods may be called from any thread, and never under a lock.
public protocol Authenticator: AnyObject, Sendable {
    /// What requests are signed with.
    associatedtype Credential: AuthenticationCredential & Sendable

    /// Signs `urlRequest`, for example with a bearer token.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest)

    /// Gets a new credential and hands it to `completion`, once. However many requests wait, one refresh is under way at a time.
    ///
    /// Requests that it makes through `session` must not wait for a credential themselves, as those of the session's own interceptor would.
    func refresh(_ credential: Credential, for session: Session, completion: @escaping @Sendable (Result<Credential, any Error>) -> Void)

    /// Whether the server refused the request because of its credential. A 403 or a failed validation for another reason is `false`.
    func didRequest(_ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error) -> Bool

    /// Whether the request was signed with this credential: if not, it is sent again with the one at hand, without a refresh.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

/// An ``Authenticator`` whose refresh is an asynchronous function.
public protocol AsyncAuthenticator: Authenticator {
    /// Gets a new credential, or throws; one call is under way at a time.
    func refresh(_ credential: Credential, for session: Session) async throws -> Credential
}

extension AsyncAuthenticator {
    /// Calls the asynchronous form in a task of its own.
    public func refresh(
        _ credential: Credential, for session: Session, completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    ) {
        Task {
            do {
                completion(.success(try await refresh(credential, for: session)))
            } catch {
                completion(.failure(error))
            }
        }
    }
}

/// Why a request could not be signed.
public enum AuthenticationError: Error, LocalizedError, Sendable {
    /// There is no credential; set ``AuthenticationInterceptor/credential`` first, for example after signing in.
    case missingCredential
    /// Credentials were refreshed more often than the refresh window allows: the server refuses even new ones.
    case excessiveRefresh

    /// What is wrong, and what to do.
    public var errorDescription: String? {
        switch self {
        case .missingCredential:
            "The request could not be signed: there is no credential. Set one, for example by signing in."
        case .excessiveRefresh:
            "The credential was refreshed again and again without effect. The server refuses even new credentials; check what they are valid for."
        }
    }
}
