// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A key, and the field that carries it. It does not print the key.
public struct APIKeyCredential: Codable, Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The field, such as `APIKey`.
    public let headerName: String
    /// The field's value; a secret.
    public let key: String

    /// A key for a field.
    public init(headerName: String, key: String) {
        self.headerName = headerName
        self.key = key
    }

    /// The field's name.
    public var description: String { "APIKeyCredential(\(headerName): <redacted>)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["credential": description], displayStyle: .struct) }
}

/// Knows the keys.
public protocol APIKeyCredentialDiscovery {
    /// The key for requests to `url`; `nil` if there is none. Called on the session's own queue: do not block.
    /// `user`: the user-id in the URL, if there is one.
    func provideAPIKeyCredential(for url: URL, user: String?) -> APIKeyCredential?
}

/// One key for one origin.
public class DefaultAPIKeyCredentialDiscovery: APIKeyCredentialDiscovery {
    private let origin: Origin?
    private let credential: APIKeyCredential

    /// `credential` is for requests to the origin of `url` and to no other.
    public init(credential: APIKeyCredential, for url: URL) {
        self.credential = credential
        origin = Origin(url: url)
    }

    /// The key, for its origin.
    public func provideAPIKeyCredential(for url: URL, user: String?) -> APIKeyCredential? {
        origin != nil && Origin(url: url) == origin ? credential : nil
    }
}

/// Sends API keys: at once where a key is all that is needed, otherwise when a response asks for it.
open class APIKeyAuthenticationObserver: SAPURLSessionObserving, @unchecked Sendable {  // what changes is behind its lock
    private let discovery: any APIKeyCredentialDiscovery
    private let isAPIKeyAccessOnly: Bool
    /// Per task, whom it has shown its key.
    private let shown = Locked<[UUID: Set<Origin>]>([:])

    /// `isAPIKeyAccessOnly`: whether a key goes with every request, rather than only where a response asks for one
    /// (``isChallenge(dataTask:response:)``).
    public init(apikeyCredentialDiscovery: any APIKeyCredentialDiscovery, isAPIKeyAccessOnly: Bool) {
        discovery = apikeyCredentialDiscovery
        self.isAPIKeyAccessOnly = isAPIKeyAccessOnly
    }

    /// Whether `response` asks for a key. Default: 401 and 403.
    open func isChallenge(dataTask: SAPURLSessionTask, response: HTTPURLResponse) -> Bool {
        response.statusCode == 401 || response.statusCode == 403
    }

    /// Adds the key if it is due.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        completionHandler(.use(withKey(request, for: task)))
    }

    /// Takes the key off a request that leaves its origin, and gives it the one of where it goes.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (SAPURLSession.HTTPRedirectDisposition) -> Void
    ) {
        var request = request
        if let from = response.url, let to = request.url, Origin(url: from) != Origin(url: to), let old = credential(for: from) {
            request.setValue(nil, forHTTPHeaderField: old.headerName)
        }
        completionHandler(.follow(withKey(request, for: task)))
    }

    /// Sends the request again, with its key, if the response asks for it; once for every origin.
    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        guard !isAPIKeyAccessOnly, let response = response as? HTTPURLResponse, let url = response.url, let origin = Origin(url: url),
            isChallenge(dataTask: dataTask, response: response), credential(for: url) != nil
        else { return completionHandler(.allow) }
        let taskID = dataTask.taskID
        let isFirst = shown.withLock { $0[taskID, default: []].insert(origin).inserted }
        completionHandler(isFirst ? .resend : .allow)
    }

    /// Forgets the task.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        let taskID = task.taskID
        shown.withLock { $0[taskID] = nil }
        completionHandler()
    }

    private func withKey(_ request: URLRequest, for task: SAPURLSessionTask) -> URLRequest {
        guard let url = request.url, let origin = Origin(url: url), let credential = credential(for: url) else { return request }
        let taskID = task.taskID
        guard isAPIKeyAccessOnly || shown.withLock({ $0[taskID]?.contains(origin) }) == true else { return request }
        var request = request
        request.setValue(credential.key, forHTTPHeaderField: credential.headerName)
        return request
    }

    private func credential(for url: URL) -> APIKeyCredential? {
        discovery.provideAPIKeyCredential(for: url, user: url.user)
    }
}
