// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gives requests that change something the CSRF token that their server wants, and fetches it, once for all who wait.
///
/// The token is fetched on the same session, since it belongs to its cookies. A 403 with `X-CSRF-Token: Required` brings a new token and
/// one resend.
public class CSRFTokenObserver: SAPURLSessionObserving, @unchecked Sendable {  // what changes guards itself; the rest is set at the start
    private static let fieldName = "X-CSRF-Token"
    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    private let tokenURLProvider: any CSRFTokenURLProviding
    private let tokenStore: any CSRFTokenStoring
    private let fetches = SingleFlight<Key, String>()
    private let refreshed = Locked<Set<UUID>>([])

    private struct Key: Hashable, Sendable {
        let session: ObjectIdentifier
        let url: URL
    }

    /// `rootUrl` gives the tokens for its origin, beneath its path.
    public convenience init(rootUrl: URL, tokenStore: any CSRFTokenStoring = CSRFTokenStorage(store: InMemoryCodableStore())) {
        self.init(tokenUrlProvider: RootTokenURLProvider(rootURL: rootUrl), tokenStore: tokenStore)
    }

    /// `tokenStore`: keeps tokens under the URL that gave them; by default in memory.
    public init(
        tokenUrlProvider: any CSRFTokenURLProviding, tokenStore: any CSRFTokenStoring = CSRFTokenStorage(store: InMemoryCodableStore())
    ) {
        tokenURLProvider = tokenUrlProvider
        self.tokenStore = tokenStore
    }

    /// Adds the token, which may have to be fetched first.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        guard !Self.safeMethods.contains(request.httpMethod?.uppercased() ?? "GET"), let url = request.url,
            let tokenURL = tokenURLProvider.csrfTokenURL(for: url)
        else { return completionHandler(.use(request)) }
        withToken(from: tokenURL, in: session) { result in
            switch result {
            case .success(let token):
                var request = request
                request.setValue(token, forHTTPHeaderField: Self.fieldName)
                completionHandler(.use(request))
            case .failure(let error): completionHandler(.cancel(error))
            }
        }
    }

    /// Fetches a new token if the server says that it wants one.
    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse, response.statusCode == 403,
            response.value(forHTTPHeaderField: Self.fieldName)?.lowercased() == "required",
            let request = dataTask.currentRequest, let url = request.url, let tokenURL = tokenURLProvider.csrfTokenURL(for: url)
        else { return completionHandler(.allow) }
        let taskID = dataTask.taskID
        guard refreshed.withLock({ $0.insert(taskID).inserted }) else { return completionHandler(.allow) }
        do {
            // Another task may have brought a new one meanwhile.
            if try tokenStore.token(for: tokenURL) == request.value(forHTTPHeaderField: Self.fieldName) {
                try tokenStore.deleteToken(for: tokenURL)
            }
            completionHandler(.resend)
        } catch {
            completionHandler(.cancel(error))
        }
    }

    /// Forgets the task.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, didCompleteWithError error: (any Error)?,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        let taskID = task.taskID
        refreshed.withLock { refreshed in _ = refreshed.remove(taskID) }
        completionHandler()
    }

    private func withToken(
        from url: URL, in session: SAPURLSession, _ completion: @escaping @Sendable (Result<String, any Error>) -> Void
    ) {
        do {
            if let token = try tokenStore.token(for: url) { return completion(.success(token)) }
        } catch {
            return completion(.failure(error))
        }
        fetches.join(Key(session: ObjectIdentifier(session), url: url), completion) { finish in
            var request = URLRequest(url: url)
            request.setValue("Fetch", forHTTPHeaderField: Self.fieldName)
            session.dataTask(with: request) { [self] _, response, error in
                finish(Result { try takeToken(from: response, error, of: url) })
            }.resume()
        }
    }

    private func takeToken(from response: URLResponse?, _ error: (any Error)?, of url: URL) throws -> String {
        if let error { throw error }
        let response = response as? HTTPURLResponse
        guard let token = response?.value(forHTTPHeaderField: Self.fieldName), !token.isEmpty, token.lowercased() != "required" else {
            throw SAPURLSessionError.failedToRetriveCSRFToken(response.map { "the answer with status \($0.statusCode) had none" })
        }
        try tokenStore.store(token: token, for: url)
        return token
    }
}
