// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What ``OAuth2Observer`` knows and does: all on a serial queue of its own, where the store is called, too.
final class OAuth2Flow: @unchecked Sendable {  // everything that changes is touched on `queue` only, or behind its lock
    enum Verdict: Sendable {
        case notMine
        case renewed
        case loggedIn
        case failed(any Error)
    }

    private struct TaskRecord {
        /// What was sent last, and to whom.
        var sent: (origin: Origin, token: OAuth2Token)?
        /// Origins for which this task has had a new token.
        var renewed: Set<Origin> = []
    }

    /// Tokens are renewed this long before they expire.
    private static let earliness: TimeInterval = 30

    let allowsPlaintextTransport = Locked(false)
    private let queue = DispatchQueue(label: "openmoya.sap.oauth2")
    private let queueMark = DispatchSpecificKey<Bool>()
    private let authenticator: any OAuth2Authentication
    private let store: any OAuth2TokenStore
    private let flights = SingleFlight<Origin, Renewal>()

    /// A new token, and whether a log-in brought it.
    private struct Renewal: Sendable {
        let token: OAuth2Token
        let isLogin: Bool
    }

    // On the queue only.
    private var tasks: [UUID: TaskRecord] = [:]
    private var knownURLs: Set<URL> = []
    /// Raised by ``clear()``: what is under way then is not stored.
    private var generation = 0

    init(authenticator: any OAuth2Authentication, store: any OAuth2TokenStore) {
        self.authenticator = authenticator
        self.store = store
        queue.setSpecific(key: queueMark, value: true)
    }

    // MARK: Events, from any thread

    /// Calls `completion` with the request that carries the token, or as it was. A field of the caller's own stays.
    func prepare(_ request: URLRequest, task: UUID, _ completion: @escaping @Sendable (URLRequest) -> Void) {
        queue.async { [self] in
            guard let url = request.url, let origin = Origin(url: url), isSafe(origin), let storeURL = url.withoutSecrets,
                request.value(forHTTPHeaderField: "Authorization") == nil || tasks[task]?.sent?.origin == origin,
                let token = read(storeURL)
            else { return completion(request) }
            guard Self.hasExpired(token), token.refreshToken != nil else {
                return completion(attach(token, to: request, origin, task))
            }
            renew(token, for: storeURL, at: origin) { [self] result in
                // Without a new token the server decides what the old one is worth.
                completion(attach((try? result.get())?.token ?? token, to: request, origin, task))
            }
        }
    }

    func refused(
        _ response: HTTPURLResponse, task: UUID, hasOwnField: Bool, _ completion: @escaping @Sendable (Verdict) -> Void
    ) {
        queue.async { [self] in
            guard let url = response.url, let origin = Origin(url: url), isSafe(origin), let storeURL = url.withoutSecrets else {
                return completion(.notMine)
            }
            let sent = tasks[task]?.sent.flatMap { $0.origin == origin ? $0.token : nil }
            guard sent != nil || !hasOwnField && Self.offersBearer(response) else { return completion(.notMine) }
            guard tasks[task, default: TaskRecord()].renewed.insert(origin).inserted else {
                if read(storeURL) == sent { delete(storeURL) }
                return completion(.failed(OAuth2Error.tokenRejected))
            }
            // Another task has brought a new one meanwhile.
            if let current = read(storeURL), current != sent { return completion(.renewed) }
            renew(sent, for: storeURL, at: origin) { result in
                switch result {
                case .success(let renewal): completion(renewal.isLogin ? .loggedIn : .renewed)
                case .failure(let error): completion(.failed(error))
                }
            }
        }
    }

    func forget(_ task: UUID) { queue.async { self.tasks[task] = nil } }

    func token(for url: URL) throws -> OAuth2Token? {
        guard let storeURL = url.withoutSecrets else { return nil }
        return try onQueue { try store.token(for: storeURL) }
    }

    func clear() {
        onQueue {
            generation += 1
            for url in knownURLs { delete(url) }
            knownURLs = []
            store.clear()
        }
    }

    private func onQueue<Value>(_ action: () throws -> Value) rethrows -> Value {
        if DispatchQueue.getSpecific(key: queueMark) == true { return try action() }
        return try queue.sync(execute: action)
    }

    // MARK: On the queue

    /// Refreshes `token` if that can be done, otherwise logs in; once for all who want it at the same time. `completion` runs on the queue.
    private func renew(
        _ token: OAuth2Token?, for url: URL, at origin: Origin, _ completion: @escaping @Sendable (Result<Renewal, any Error>) -> Void
    ) {
        let generation = generation
        flights.join(origin) { [queue] result in
            queue.async { completion(result) }
        } work: { finish in
            let keep: @Sendable (Result<Renewal, any Error>) -> Void = { [self] result in
                queue.async { [self] in
                    if case .success(let renewal) = result {
                        guard generation == self.generation else { return finish(.failure(OAuth2Error.cancelled)) }
                        keepToken(renewal.token, for: url)
                    }
                    finish(result)
                }
            }
            guard let token, token.refreshToken != nil else { return logIn(keep) }
            exclusively(url) { [self] result in
                switch result {
                case .failure(let error): keep(.failure(error))
                case .success(nil): refresh(token, for: url, willLogIn: {}, keep)
                case .success(let access?):
                    let stored = read(url)
                    let end: @Sendable (Result<Renewal, any Error>) -> Void = { [queue] result in
                        keep(result)
                        // Behind what writes the token.
                        queue.async { access.end() }
                    }
                    if let stored, stored != token, !Self.hasExpired(stored) {
                        // Another program has renewed it meanwhile.
                        end(.success(Renewal(token: stored, isLogin: false)))
                    } else if let stored, stored.refreshToken != nil {
                        // A person takes longer than others should wait.
                        refresh(stored, for: url, willLogIn: { access.end() }, end)
                    } else {
                        access.end()
                        logIn(keep)
                    }
                }
            }
        }
    }

    /// Gets the store's exclusive access, if it has such a thing. `action` runs on the queue.
    private func exclusively(_ url: URL, _ action: @escaping @Sendable (Result<ExclusiveAccess?, any Error>) -> Void) {
        guard let store = store as? any ExclusiveOAuth2TokenStore else { return action(.success(nil)) }
        let carried = CarriedStore(store: store)
        Task { [queue] in
            let result: Result<ExclusiveAccess?, any Error>
            do {
                result = .success(try await carried.store.exclusiveAccess(toTokenFor: url))
            } catch {
                result = .failure(error)
            }
            queue.async { action(result) }
        }
    }

    private struct CarriedStore: @unchecked Sendable {  // only asked for access, which touches nothing that changes
        let store: any ExclusiveOAuth2TokenStore
    }

    private func refresh(
        _ token: OAuth2Token, for url: URL, willLogIn: @escaping @Sendable () -> Void,
        _ completion: @escaping @Sendable (Result<Renewal, any Error>) -> Void
    ) {
        authenticator.refresh(token: token) { [self] new, error in
            queue.async { [self] in
                if let new, error == nil {
                    return completion(.success(Renewal(token: new.keepingRefreshToken(of: token), isLogin: false)))
                }
                // A refresh that the network failed says nothing about the token.
                guard Self.isRefusal(error) else { return completion(.failure(error ?? OAuth2Error.missingHTTPResponse)) }
                if read(url) == token { delete(url) }
                willLogIn()
                logIn(completion)
            }
        }
    }

    private func logIn(_ completion: @escaping @Sendable (Result<Renewal, any Error>) -> Void) {
        authenticator.authenticate { token, error in
            if let error { return completion(.failure(error)) }
            completion(token.map { .success(Renewal(token: $0, isLogin: true)) } ?? .failure(OAuth2Error.missingHTTPResponse))
        }
    }

    private func attach(_ token: OAuth2Token, to request: URLRequest, _ origin: Origin, _ task: UUID) -> URLRequest {
        tasks[task, default: TaskRecord()].sent = (origin, token)
        var request = request
        // RFC 6750, 2.1; servers say `bearer`, too.
        let type = token.tokenType.lowercased() == "bearer" ? "Bearer" : token.tokenType
        request.setValue("\(type) \(token.accessToken)", forHTTPHeaderField: "Authorization")
        return request
    }

    private func isSafe(_ origin: Origin) -> Bool {
        origin.scheme == "https" || origin.isLoopback || allowsPlaintextTransport.withLock { $0 }
    }

    private static func hasExpired(_ token: OAuth2Token) -> Bool {
        token.expiryDate.map { $0.timeIntervalSinceNow < earliness } ?? false
    }

    private static func offersBearer(_ response: HTTPURLResponse) -> Bool {
        guard let value = response.value(forHTTPHeaderField: "WWW-Authenticate"), let challenges = try? Challenge.parse([value]) else {
            return false
        }
        return challenges.contains { $0.scheme == .bearer }
    }

    /// Whether the authorization server itself has said no.
    private static func isRefusal(_ error: (any Error)?) -> Bool {
        if case .server? = error as? OAuth2Error { return true }
        return false
    }

    private func read(_ url: URL) -> OAuth2Token? {
        knownURLs.insert(url)
        return attempt { try store.token(for: url) } ?? nil
    }

    private func keepToken(_ token: OAuth2Token, for url: URL) {
        knownURLs.insert(url)
        attempt { try store.store(token: token, for: url) }
    }

    private func delete(_ url: URL) { attempt { try store.deleteToken(for: url) } }

    @discardableResult
    private func attempt<Value>(_ action: () throws -> Value) -> Value? {
        SAPDiagnostics.attempt(orReport: "the token store failed", action)
    }
}

extension OAuth2Token {
    /// A server that does not rotate refresh tokens leaves them out (RFC 6749, 6).
    func keepingRefreshToken(of old: OAuth2Token) -> OAuth2Token {
        guard refreshToken == nil else { return self }
        return OAuth2Token(
            accessToken: accessToken, tokenType: tokenType, expiryDate: expiryDate, scopes: scopes.isEmpty ? old.scopes : scopes,
            refreshToken: old.refreshToken)
    }
}
