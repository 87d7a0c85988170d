// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Shows servers that ask for one the user's certificate: the stored one before the handshake, else a new one, which is stored once a
/// server has taken it.
///
/// A stored identity that is refused is deleted and a new one is obtained, once for all who wait; a new one that is refused ends the
/// matter. libcurl does not say that a server has asked, so the challenge is a handshake, or a response (``isChallenge(response:)``), that
/// fails for want of a certificate.
open class UserIdentityObserver: SAPURLSessionObserving, ClientIdentityProviding, @unchecked Sendable {  // what changes belongs to `queue`
    private struct Sent {
        let origin: Origin
        let identity: Data
        let isNew: Bool
    }

    private let queue = DispatchQueue(label: "openmoya.sap.identity")
    private let discovery: any UserIdentityObtaining
    private let identityStore: any UserIdentityStoring
    private let passphrase: String
    private let flights = SingleFlight<Origin, Data>()

    // On the queue only.
    /// What each running task has shown last.
    private var sent: [UUID: Sent] = [:]
    /// New identities that no server has taken yet, for whoever is asked meanwhile.
    private var provisional: [Origin: Data] = [:]

    /// `passphrase`: what opens stored and obtained archives. Default: empty, or what a ``PKCS12UserIdentityDiscovery`` knows to be needed.
    public init(userIdentityDiscovery: any UserIdentityObtaining, identityStore: any UserIdentityStoring, passphrase: String = "") {
        discovery = userIdentityDiscovery
        self.identityStore = identityStore
        let known = (userIdentityDiscovery as? PKCS12UserIdentityDiscovery)?.identity.passphrase ?? ""
        self.passphrase = passphrase.isEmpty ? known : passphrase
    }

    /// Whether `response` says that a certificate is wanted. Default: nginx's ways to say so: 495, 496, and a 400 of its own.
    open func isChallenge(response: HTTPURLResponse) -> Bool {
        switch response.statusCode {
        case 495, 496: true
        case 400: response.value(forHTTPHeaderField: "Server")?.lowercased().hasPrefix("nginx") ?? false
        default: false
        }
    }

    func identity(for url: URL, task: UUID, _ completion: @escaping @Sendable (ClientIdentity?) -> Void) {
        queue.async { [self] in
            guard let origin = Origin(url: url), let stored = stored(for: origin) else { return completion(nil) }
            sent[task] = Sent(origin: origin, identity: stored, isNew: false)
            completion(ClientIdentity(data: stored, passphrase: passphrase))
        }
    }

    /// Answers challenges for a client certificate, and no others.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void
    ) {
        guard challenge.protectionSpace.asksForClientCertificate,
            let origin = Origin(scheme: "https", host: challenge.protectionSpace.host, port: challenge.protectionSpace.port)
        else { return completionHandler(.performDefaultHandling) }
        let taskID = task.taskID
        queue.async { [self] in
            if let last = sent[taskID], last.origin == origin {
                if last.isNew {
                    if provisional[origin] == last.identity { provisional[origin] = nil }
                    return completionHandler(.performDefaultHandling)
                }
                if stored(for: origin) == last.identity { attempt { try identityStore.delete(for: Self.url(of: origin)) } }
            }
            if let identity = provisional[origin] {
                sent[taskID] = Sent(origin: origin, identity: identity, isNew: true)
                return completionHandler(.use(UserIdentityCredential(identity: identity, passphrase: passphrase)))
            }
            if let identity = stored(for: origin) {
                sent[taskID] = Sent(origin: origin, identity: identity, isNew: false)
                return completionHandler(.use(UserIdentityCredential(identity: identity, passphrase: passphrase)))
            }
            flights.join(origin) { [self] result in
                queue.async { [self] in
                    switch result {
                    case .success(let identity):
                        sent[taskID] = Sent(origin: origin, identity: identity, isNew: true)
                        completionHandler(.use(UserIdentityCredential(identity: identity, passphrase: passphrase)))
                    case .failure(let error): completionHandler(.cancel(error))
                    }
                }
            } work: { finish in
                discovery.obtainUserIdentity { [self] identity, error in
                    if let error { return finish(.failure(error)) }
                    guard let identity else { return finish(.failure(BasicCredentialDiscoveryError.inconsistentState)) }
                    queue.async { [self] in
                        provisional[origin] = identity
                        finish(.success(identity))
                    }
                }
            }
        }
    }

    /// Stores a new identity that a server has taken.
    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        let taskID = dataTask.taskID
        guard let response = response as? HTTPURLResponse, let url = response.url, let origin = Origin(url: url),
            !isChallenge(response: response)
        else { return completionHandler(.allow) }
        queue.async { [self] in
            if let last = sent[taskID], last.isNew, last.origin == origin {
                // Once for all who share it; what could not be stored is kept for this process.
                if provisional[origin] == last.identity,
                    attempt({ try identityStore.store(identity: last.identity, for: Self.url(of: origin)) }) != nil
                {
                    provisional[origin] = nil
                }
                sent[taskID] = Sent(origin: origin, identity: last.identity, isNew: false)
            }
            completionHandler(.allow)
        }
    }

    /// Forgets the task.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        let taskID = task.taskID
        queue.async { [self] in sent[taskID] = nil }
        completionHandler()
    }

    // MARK: The store, on the queue

    private func stored(for origin: Origin) -> Data? {
        attempt { try identityStore.identity(for: Self.url(of: origin)) } ?? nil
    }

    @discardableResult
    private func attempt<Value>(_ action: () throws -> Value) -> Value? {
        SAPDiagnostics.attempt(orReport: "the identity store failed", action)
    }

    private static func url(of origin: Origin) -> URL {
        var components = URLComponents()
        components.scheme = origin.scheme
        components.host = origin.host
        components.port = origin.port
        components.path = "/"
        return components.url ?? URL(fileURLWithPath: "/")
    }
}

extension UserIdentityObserver: CustomReflectable {
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
