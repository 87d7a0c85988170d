// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers Basic challenges (RFC 7617) of servers and proxies with a credential from a store, else from a discovery, which as a rule asks a
/// person.
///
/// A new credential is stored only when a server has accepted it; a stored one that is refused is deleted. Requests that are challenged at
/// the same time share one discovery, and one that failed is not repeated for requests that were sent before it failed. Store and discovery
/// are held: if the owner of a session passes itself as the store, there is a cycle until the session is invalidated.
///
/// A server that offers Bearer beside Basic asks for Basic, too: do not register this observer where a token is wanted.
open class BasicAuthenticationObserver: @unchecked Sendable {  // settings are behind their lock, the rest belongs to the flow's queue
    private let settings: Locked<BasicSettings>
    let flow: BasicFlow

    /// `basicCredentialDiscovery`: by default a person is asked, on the terminal or by an alert.
    public init(
        basicCredentialDiscovery: any BasicCredentialDiscovery = DefaultBasicCredentialDiscovery(),
        basicCredentialStore: any BasicCredentialStoring
    ) {
        let settings = Locked(BasicSettings())
        self.settings = settings
        flow = BasicFlow(store: basicCredentialStore, discovery: basicCredentialDiscovery, settings: settings)
    }

    /// How often one task asks for a new credential of one protection space, before its caller gets the 401. Default: 3; at least 1.
    public var maximumDiscoveryAttempts: Int {
        get { settings.withLock { $0.maximumDiscoveryAttempts } }
        set { settings.withLock { $0.maximumDiscoveryAttempts = max(newValue, 1) } }
    }

    /// Whether a password may go over an unencrypted connection to another machine. Default: `false`, such challenges fail the task.
    public var allowsPlaintextTransport: Bool {
        get { settings.withLock { $0.allowsPlaintextTransport } }
        set { settings.withLock { $0.allowsPlaintextTransport = newValue } }
    }

    /// Is told about every failure of the store, with the URL that it was about; such a failure alone never fails a request. Default:
    /// `nil`.
    public var storeErrorHandler: (@Sendable (any Error, URL) -> Void)? {
        get { settings.withLock { $0.storeErrorHandler } }
        set {
            var replaced = newValue
            // Let go of where no lock is held.
            settings.withLock { swap(&$0.storeErrorHandler, &replaced) }
        }
    }
}

/// What may be changed while requests run.
struct BasicSettings: Sendable {
    var maximumDiscoveryAttempts = 3
    var allowsPlaintextTransport = false
    var storeErrorHandler: (@Sendable (any Error, URL) -> Void)?
}

extension BasicAuthenticationObserver: SAPURLSessionObserving {
    /// Answers Basic challenges; leaves others to the next observer.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void
    ) {
        guard let challenge = BasicChallenge(challenge) else { return completionHandler(.performDefaultHandling) }
        guard challenge.isSecure || allowsPlaintextTransport else {
            return completionHandler(.cancel(BasicAuthenticationError.insecureTransport(challenge.storeURL)))
        }
        flow.challenged(challenge, task: task.taskID, completionHandler)
    }

    /// Begins anew for a request that is sent again.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        flow.taskWillStart(task.taskID)
        completionHandler(.use(request))
    }

    /// Notes when a request went out.
    public func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didCreate sessionTask: URLSessionTask) {
        flow.taskWasSent(task.taskID)
    }

    /// Stores a credential that a server has accepted.
    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.allow) }
        flow.responded(status: response.statusCode, url: response.url, task: dataTask.taskID) { completionHandler(.allow) }
    }

    /// Forgets what it knew of the task.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        flow.taskEnded(task.taskID)
        completionHandler()
    }
}

extension BasicAuthenticationObserver: TokenStoreManaging {
    /// Forgets every credential and deletes from the store what this observer read or wrote, then clears the store; returns when that is
    /// done.
    ///
    /// Requests that wait for a credential end with ``BasicCredentialDiscoveryError/cancelled``, and what a discovery under way still finds
    /// is thrown away. Requests on the wire are not called back. May be called from a store or a discovery.
    public func clear() { flow.clear() }
}

extension BasicAuthenticationObserver: CustomReflectable {
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
