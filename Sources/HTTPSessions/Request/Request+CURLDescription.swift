// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Session {
    /// The command for a request that this session would send.
    package func cURLDescription(of request: URLRequest, credential: URLCredential? = nil, redacting: Bool) -> String {
        var command = CURLCommand(request: request, sessionHeaders: sessionConfiguration.headers)
        command.credential = request.url.flatMap(storedCredential) ?? credential
        if let url = request.url, sessionConfiguration.httpShouldSetCookies, let storage = sessionConfiguration.httpCookieStorage {
            command.cookies = CookieRules.cookies(in: storage, for: url)
        }
        return command.text(redacting: redacting)
    }

    private func storedCredential(for url: URL) -> URLCredential? {
        guard let storage = sessionConfiguration.urlCredentialStorage, let origin = Origin(url: url) else { return nil }
        let space = URLProtectionSpace(
            host: origin.host, port: origin.port, protocol: origin.scheme, realm: origin.host,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        return storage.sameCredentials(for: space).values.first
    }
}

extension Request {
    /// A command for curl that sends the same request, as far as it is known by now, without its secrets.
    public func cURLDescription() -> String { cURLDescription(redacting: true) }

    /// The same; `false` writes passwords, cookies and credentials out in full.
    public func cURLDescription(redacting: Bool) -> String {
        guard let request = lastRequest, let session else { return CURLCommand(request: nil).text() }
        return session.cURLDescription(of: request, credential: credential, redacting: redacting)
    }

    /// Calls `handler` once on `queue` with ``cURLDescription()``: at once if the final request is known, else as soon as it is, or as it
    /// is clear that there will be none.
    @discardableResult
    public func cURLDescription(on queue: DispatchQueue, calling handler: @escaping @Sendable (String) -> Void) -> Self {
        // The request keeps the closure: it must not be kept by it.
        let call: @Sendable () -> Void = { [weak self] in
            guard let self else { return }
            queue.async { handler(self.cURLDescription()) }
        }
        let isKnown = mutable.withLock { state in
            switch state.phase {
            case .exchanging, .deciding, .concluding, .concluded: return true
            case .waiting, .settingUp: break
            }
            state.withExtras { $0.descriptionHandlers.append(call) }
            return false
        }
        if isKnown { call() }
        return self
    }

    /// The same, on the session's root queue.
    @discardableResult
    public func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self {
        cURLDescription(on: underlyingQueue, calling: handler)
    }
}
