// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing

extension EverythingPrintedTests {
    private final class Discovery: BasicCredentialDiscovery {
        func provideBasicCredential(
            for url: URL, challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
        ) { completionHandler(BasicCredential(username: Looker.user, password: Looker.password), nil) }
    }

    /// Refuses to keep anything, with an error that says what.
    private final class CarelessStore: CodableStoring {
        struct Refusal: Error, CustomStringConvertible {
            let description: String
        }
        func get<T: Codable>(_ type: T.Type, for: String) throws -> T? { throw Refusal(description: Looker.password) }
        func put<T: Codable>(_ value: T, for: String) throws { throw Refusal(description: "\(Looker.password) \(Looker.token)") }
        func remove(for: String) throws { throw Refusal(description: Looker.token) }
    }

    private func lookAtIdentities(_ looker: Looker) throws {
        let file = URL(fileURLWithPath: NSTemporaryDirectory() + "openmoya-secrets-\(UUID().uuidString).p12")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(Looker.password.utf8).write(to: file)
        for attempt in [
            { try PKCS12UserIdentityDiscovery(contentsOf: file, passphrase: Looker.password) },
            { try PKCS12UserIdentityDiscovery(contentsOf: try Self.url(), passphrase: Looker.password) },
            { try PKCS12UserIdentityDiscovery(resourceInBundle: "none", resourceType: "p12", passphrase: Looker.password) },
        ] as [() throws -> PKCS12UserIdentityDiscovery] {
            do {
                looker.look(at: try attempt(), "an identity's discovery")
            } catch {
                looker.look(at: error, "the error of an identity's discovery")
            }
        }
    }

    func lookAtObservers(_ looker: Looker) async throws {
        let server = try Self.server()
        let log = Locked<[String]>([])
        SAPDiagnostics.handler = { _, message in log.withLock { $0.append(message) } }
        defer { SAPDiagnostics.handler = nil }
        let folder = NSTemporaryDirectory() + "openmoya-secrets-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }

        try lookAtValues(looker, server)
        try lookAtIdentities(looker)
        for store in [
            SecretCodableStore(FileSecretStore(path: folder + "/secrets.json")), InMemoryCodableStore(), CarelessStore(),
        ] as [any CodableStoring] {
            let (credentials, tokens) = (BasicCredentialStorage(store: store), OAuth2TokenStorage(store: store))
            let token = OAuth2Token(
                accessToken: Looker.token, tokenType: "Bearer", expiryDate: .distantPast, refreshToken: Looker.token)
            try? tokens.store(token: token, for: server.url("/"))
            try? credentials.store(credential: BasicCredential(username: Looker.user, password: Looker.password), for: server.url("/"))
            let parameters = OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: server.url("/token")) { request in
                var request = request
                request.setValue(Self.basic, forHTTPHeaderField: "Authorization")
                return request
            }
            let authenticator = OAuth2Authenticator(authenticationParameters: parameters)
            let oauth = OAuth2Observer(authenticator: authenticator, tokenStore: tokens)
            let basic = BasicAuthenticationObserver(basicCredentialDiscovery: Discovery(), basicCredentialStore: credentials)
            let keys = APIKeyAuthenticationObserver(
                apikeyCredentialDiscovery: DefaultAPIKeyCredentialDiscovery(
                    credential: APIKeyCredential(headerName: "APIKey", key: Looker.token), for: server.url("/")),
                isAPIKeyAccessOnly: true)
            let csrf = CSRFTokenObserver(rootUrl: server.url("/csrf"), tokenStore: CSRFTokenStorage(store: store))
            let observers: [any SAPURLSessionObserving] = [keys, csrf, oauth, basic]
            for observer in observers { looker.look(at: observer, "an observer") }
            for part in [store, credentials, tokens, authenticator, parameters] as [Any] where !(part is CarelessStore) {
                looker.look(at: part, "a part of an observer")
            }

            for path in Self.paths + ["/bearer"] {
                let session = SAPURLSession()
                for observer in observers where !(observer === basic && path == "/bearer") { session.register(observer) }
                var request = URLRequest(url: try Self.url(server.port, path: path))
                for (name, value) in Self.fields where name != "Authorization" { request.setValue(value, forHTTPHeaderField: name) }
                request.httpMethod = "POST"
                let ended = EventRecorder<(any Error)?>()
                let task = session.dataTask(with: request) { _, _, error in ended.record(error) }
                task.resume()
                if let error = try await ended.wait(for: 1)[0] { looker.look(at: error, "an error of \(path)") }
                looker.look(at: task, "a task of \(path)")
                looker.look(at: session, "a session")
                session.invalidateAndCancel()
            }
            for observer in observers { looker.look(at: observer, "an observer, used") }
            oauth.clear()
            basic.clear()
        }
        for text in log.withLock({ $0 }) { looker.look(in: text, "log", "SAPDiagnostics") }
    }

    private func lookAtValues(_ looker: Looker, _ server: TestServer) throws {
        let url = try Self.url(server.port)
        var request = URLRequest(url: url)
        for (name, value) in Self.fields { request.setValue(value, forHTTPHeaderField: name) }
        let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: Self.fields))
        let values: [Any] = [
            BasicCredential(username: Looker.user, password: Looker.password),
            OAuth2Token(accessToken: Looker.token, tokenType: "Bearer", refreshToken: Looker.token),
            APIKeyCredential(headerName: "APIKey", key: Looker.token),
            UserIdentityCredential(identity: Data(Looker.password.utf8), passphrase: Looker.password),
            DefaultAPIKeyCredentialDiscovery(credential: APIKeyCredential(headerName: "APIKey", key: Looker.token), for: url),
            OAuth2AuthenticationParameters(
                authorizationEndpointURL: url, clientID: "client", redirectURL: url, tokenEndpointURL: url, clientSecret: Looker.token),
            try OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: url, clientID: "client", clientSecret: Looker.token),
            SAPURLSession.AuthChallengeDisposition.use(
                URLCredential(user: Looker.user, password: Looker.password, persistence: .none)),
            SAPURLSession.RequestDisposition.use(request), SAPURLSession.HTTPRedirectDisposition.follow(request),
            BasicAuthenticationError.insecureTransport(url), BasicAuthenticationError.invalidCredential,
            OAuth2Error.parse(error: "no JSON", httpUrlResponse: response, data: Data(Looker.token.utf8)),
            OAuth2Error.http(error: URLError(.badServerResponse), statusCode: 500, response: Looker.token),
            OAuth2Error.tokenRejected, SAPURLSessionError.invalidRequest,
        ]
        for value in values { looker.look(at: value, "\(type(of: value))") }
        for value in values { looker.look(at: [value], "\(type(of: value)) in an array") }
        let store = InMemoryBasicCredentialStore()
        try store.store(credential: BasicCredential(username: Looker.user, password: Looker.password), for: url)
        looker.look(at: store, "InMemoryBasicCredentialStore")
    }
}
