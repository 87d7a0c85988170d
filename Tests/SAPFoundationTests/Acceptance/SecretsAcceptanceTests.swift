// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import HTTPTesting
import SAPFoundation
import Testing

/// The acceptance tests of secrets and of code as clients write it, by number.
@Suite(.timeLimit(.minutes(1)))
struct SecretsAcceptanceTests {
    @Test func `20: no password is in any description, mirror, error or log`() async throws {
        let password = "pa55-w0rd-known"
        let secrets = [password, Data("alice:\(password)".utf8).base64EncodedString(), Data(password.utf8).base64EncodedString()]
        let log = Locked<[String]>([])
        SAPDiagnostics.handler = { _, message in log.withLock { $0.append(message) } }
        defer { SAPDiagnostics.handler = nil }
        let credential = BasicCredential(username: "alice", password: password)
        let server = try TestServer.guarded(password: password)
        var texts: [String] = []
        func look(at value: Any) {
            var dumped = ""
            dump(value, to: &dumped)
            texts += ["\(value)", String(reflecting: value), dumped]
        }

        for store in [RecordingStore.failing(storing: true), .failing(reading: true), RecordingStore([server.url("/"): .wrong()])] {
            let observer = BasicAuthenticationObserver(
                basicCredentialDiscovery: ScriptedDiscovery(.success(credential)), basicCredentialStore: store)
            observer.storeErrorHandler = { error, url in log.withLock { $0.append("\(error) \(url)") } }
            let session = SAPURLSession()
            session.register(observer)
            let outcome = await session.outcome(of: server.url("/"))
            if let error = outcome.error { look(at: error) }
            look(at: session)
            look(at: observer)
            look(at: session.dataTask(with: server.url("/")))
            observer.clear()
        }
        let token = OAuth2Token(accessToken: password, tokenType: "Bearer", refreshToken: password)
        look(at: credential)
        look(at: token)
        look(at: SAPURLSession.AuthChallengeDisposition.use(URLCredential(user: "alice", password: password, persistence: .none)))
        if let url = URL(string: "http://alice:\(password)@example.com/?key=\(password)") {
            look(at: BasicAuthenticationError.insecureTransport(url).localizedDescription)
            texts.append(BasicAuthenticationError.insecureTransport(url).description)
        }
        for error in [BasicAuthenticationError.invalidCredential as any Error, BasicCredentialDiscoveryError.cancelled] { look(at: error) }

        texts += log.withLock { $0 }
        #expect(texts.count > 10)
        for secret in secrets {
            #expect(!texts.contains { $0.contains(secret) })
        }
    }

    @Test func `21: a store, an observer and a discovery written without @Sendable, and a closure of the main actor`() async throws {
        let server = try TestServer.guarded()
        let text = try await Client().load(server.url("/"))
        #expect(text == "the orders")
    }
}

/// As an app writes it.
@MainActor
private final class Client {
    private final class Store: BasicCredentialStoring {
        var kept: BasicCredential?
        func store(credential: BasicCredential, for: URL) throws { kept = credential }
        func credential(for: URL) throws -> BasicCredential? { kept }
        func delete(for: URL) throws { kept = nil }
    }

    private final class Discovery: BasicCredentialDiscovery {
        func provideBasicCredential(
            for url: URL, challenge: URLAuthenticationChallenge, completionHandler: @escaping (BasicCredential?, (any Error)?) -> Void
        ) { completionHandler(.alice, nil) }
    }

    private final class Counter: SAPURLSessionObserving {
        var count = 0
        func sapURLSession(
            _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
            completionHandler: @escaping (SAPURLSession.RequestDisposition) -> Void
        ) {
            count += 1
            completionHandler(.use(request))
        }
    }

    private let session = SAPURLSession()

    func load(_ url: URL) async throws -> String {
        session.register(Counter())
        session.register(BasicAuthenticationObserver(basicCredentialDiscovery: Discovery(), basicCredentialStore: Store()))
        return try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: url) { data, _, error in
                if let data {
                    continuation.resume(returning: String(decoding: data, as: UTF8.self))
                } else {
                    continuation.resume(throwing: error ?? URLError(.unknown))
                }
            }.resume()
        }
    }
}
