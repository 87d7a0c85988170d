// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Writes a request down as a command for curl, line by line.
///
/// Redacted, it holds no password, no cookie and no credential's field, nor the URL's user information; its query stays, since the command would be of
/// no use without it.
struct CURLCommand {
    /// What stands for a request of which nothing is known.
    static let unknown = "$ curl command could not be created"
    private static let placeholder = "<redacted>"

    let request: URLRequest
    var sessionFields: [String: String] = [:]
    var credential: URLCredential?
    var cookies: [HTTPCookie] = []
    var isRedacted = true

    var text: String {
        guard let url = request.url, url.host != nil, let method = request.httpMethod else { return Self.unknown }
        var lines = ["$ curl -v", "-X \(method)"]
        if let credential, let user = credential.user, let password = credential.password {
            lines.append("-u \(isRedacted ? Self.placeholder : "\(user):\(password)")")
        }
        if !cookies.isEmpty {
            let value = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            lines.append("-b \"\(isRedacted ? Self.placeholder : value)\"")
        }
        for field in fields {
            let value = isRedacted && HTTPFields.isSecret(field.name) ? Self.placeholder : field.value
            lines.append("-H \"\(field.name): \(Self.escaped(value))\"")
        }
        if let body = request.httpBody {
            let text = String(decoding: body, as: UTF8.self)
            lines.append("-d \"\(text.replacing("\\\"", with: "\\\\\"").replacing("\"", with: "\\\""))\"")
        }
        lines.append("\"\(isRedacted ? Self.withoutUserInformation(url) : url.absoluteString)\"")
        return lines.joined(separator: " \\\n\t")
    }

    /// The session's fields, overridden by the request's, by name; `Cookie` is written as `-b`.
    private var fields: [(name: String, value: String)] {
        let own = request.allHTTPHeaderFields ?? [:]
        let shared = sessionFields.filter { field in !own.keys.contains { HTTPFields.equal($0, field.key) } }
        return (shared.map { ($0.key, $0.value) } + own.map { ($0.key, $0.value) })
            .filter { !HTTPFields.equal($0.0, "Cookie") }
            .sorted { $0.0 < $1.0 }
            .map { (name: $0.0, value: $0.1) }
    }

    private static func escaped(_ text: String) -> String { text.replacing("\"", with: "\\\"") }

    private static func withoutUserInformation(_ url: URL) -> String {
        guard url.user != nil, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        components.user = nil
        components.password = nil
        return components.string ?? url.redactedDescription
    }
}

extension Session {
    /// The command for a request that this session would send.
    package func cURLDescription(of request: URLRequest, credential: URLCredential? = nil, redacting: Bool) -> String {
        var command = CURLCommand(request: request, isRedacted: redacting)
        command.sessionFields = sessionConfiguration.headers.dictionary
        command.credential = request.url.flatMap(storedCredential) ?? credential
        if let url = request.url, sessionConfiguration.httpShouldSetCookies, let storage = sessionConfiguration.httpCookieStorage {
            command.cookies = storage.cookies(for: url) ?? []
        }
        return command.text
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
        guard let request = lastRequest, let session else { return CURLCommand.unknown }
        return session.cURLDescription(of: request, credential: credential, redacting: redacting)
    }

    /// Calls `handler` once on `queue` with ``cURLDescription()``: at once if the final request is known, else as soon as it is, or as it is
    /// clear that there will be none.
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
