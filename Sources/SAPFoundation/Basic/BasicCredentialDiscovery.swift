// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Finds a new credential, usually by asking a person. It is called only if the store has none that can be used.
public protocol BasicCredentialDiscovery: AnyObject {
    /// Calls `completionHandler` exactly once, from any thread, with a credential or with an error; if both are there, the error counts.
    ///
    /// `url`: of the request that was challenged, without user information, query and fragment; or a proxy's.
    /// `challenge`: its `previousFailureCount` is more than 0 if an earlier credential was refused.
    func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void)
}

/// Why there is no new credential.
public enum BasicCredentialDiscoveryError: SAPError {
    /// The person gave up, or ``BasicAuthenticationObserver/clear()`` ended the search.
    case cancelled
    /// There was neither a credential nor an error, or what was entered is not text.
    case inconsistentState

    /// One sentence.
    public var description: String {
        switch self {
        case .cancelled: "Asking for user name and password was cancelled."
        case .inconsistentState: "Asking for user name and password brought neither a usable answer nor an error."
        }
    }
}

/// Why ``BasicAuthenticationObserver`` does not send a credential.
public enum BasicAuthenticationError: SAPError {
    /// The link to the server or proxy at this URL is not encrypted, and it is not this machine.
    case insecureTransport(URL)
    /// The credential that was found cannot be sent with Basic: a colon in the user name, a control character, or nothing at all.
    case invalidCredential

    /// One sentence, or two.
    public var description: String {
        switch self {
        case .insecureTransport(let url):
            "\(url.redactedDescription) asks for a password over an unencrypted connection. "
                + "Use https, or set allowsPlaintextTransport if that is really meant."
        case .invalidCredential: "The credential has a colon in its user name, a control character, or is empty; Basic cannot carry it."
        }
    }
}

extension BasicAuthenticationError: CustomReflectable {
    /// Shows what `description` does: a URL may hold a password.
    public var customMirror: Mirror { Mirror(self, children: ["error": description]) }
}

/// A discovery made of a closure, for programs without a person to ask.
public final class ClosureBasicCredentialDiscovery: BasicCredentialDiscovery {
    private let closure: @Sendable (URL, URLAuthenticationChallenge) async throws -> BasicCredential

    /// `closure`: runs in a task of its own; throw ``BasicCredentialDiscoveryError/cancelled`` to give up.
    public init(_ closure: @escaping @Sendable (_ url: URL, _ challenge: URLAuthenticationChallenge) async throws -> BasicCredential) {
        self.closure = closure
    }

    /// Runs the closure.
    public func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
    ) {
        _Concurrency.Task { [closure] in
            do {
                completionHandler(try await closure(url, challenge), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }
}
