// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPTesting
import SAPFoundation
import Testing

/// The stores of SAPFoundation over those that keep secrets for any program.
@Suite(.timeLimit(.minutes(1)))
struct SecretCodableStoreTests {
    private let path = NSTemporaryDirectory() + "openmoya-sap-\(UUID().uuidString)/secrets.json"

    private func tidyUp() {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }

    private func token(_ number: Int, expired: Bool = false) -> OAuth2Token {
        OAuth2Token(
            accessToken: "access-\(number)", tokenType: "Bearer", expiryDate: expired ? .distantPast : nil,
            refreshToken: "refresh-\(number)")
    }

    @Test func `credentials and tokens outlive the program that stored them, key by key`() throws {
        defer { tidyUp() }
        let url = try #require(URL(string: "https://example.com/orders"))
        let store = SecretCodableStore(FileSecretStore(path: path))
        try BasicCredentialStorage(store: store).store(credential: .alice, for: url)
        try OAuth2TokenStorage(store: store).store(token: token(1), for: url)
        try CSRFTokenStorage(store: store).store(token: "csrf", for: url)

        let later = SecretCodableStore(FileSecretStore(path: path))
        let credentials = BasicCredentialStorage(store: later)
        #expect(try credentials.credential(for: url) == .alice)
        #expect(try OAuth2TokenStorage(store: later).token(for: url) == token(1))
        #expect(try CSRFTokenStorage(store: later).token(for: url) == "csrf")
        credentials.clear()
        #expect(try BasicCredentialStorage(store: later).credential(for: url) == nil)
        #expect(try OAuth2TokenStorage(store: later).token(for: url) == token(1))
    }

    @Test func `a password in the file is sent without asking anybody`() async throws {
        defer { tidyUp() }
        let server = try TestServer.guarded()
        let storage = BasicCredentialStorage(store: SecretCodableStore(FileSecretStore(path: path)))
        try storage.store(credential: .alice, for: server.url("/"))
        let discovery = ScriptedDiscovery(.success(.wrong()))
        let session = SAPURLSession()
        session.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, basicCredentialStore: storage))

        #expect(await session.outcome(of: server.url("/")).text == "the orders")
        #expect(discovery.questions.events.isEmpty)
    }

    @Test func `two sessions over one store renew the token once`() async throws {
        let tokens = try TokenServer(isExpired: true)
        let store = SecretCodableStore(MemorySecretStore())
        let sessions = (0..<2).map { _ in
            let session = SAPURLSession()
            let parameters = OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: tokens.server.url("/token")) { $0 }
            session.register(
                OAuth2Observer(
                    authenticator: OAuth2Authenticator(authenticationParameters: parameters), tokenStore: OAuth2TokenStorage(store: store)))
            return session
        }
        try OAuth2TokenStorage(store: store).store(token: token(0), for: tokens.server.url("/"))

        let texts = await withTaskGroup(of: String?.self) { group in
            for number in 0..<40 { group.addTask { await sessions[number % 2].outcome(of: tokens.server.url("/\(number)")).text } }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }

        #expect(texts == Array(repeating: "content", count: 40))
        #expect(tokens.log.refreshTokens == ["refresh-0"])
        #expect(try OAuth2TokenStorage(store: store).token(for: tokens.server.url("/")) == token(1))
    }

    #if os(Linux) || os(macOS)
    @Test(arguments: [false, true])
    func `two programs whose observers share a file send the refresh token once`(clientKnows: Bool) async throws {
        defer { tidyUp() }
        let arrival = TestGate(isOpen: clientKnows)
        let tokens = try TokenServer(isExpired: true, arrival: arrival)
        try OAuth2TokenStorage(store: SecretCodableStore(FileSecretStore(path: path)))
            .store(token: token(0, expired: clientKnows), for: tokens.server.url("/"))
        let programs = try ["one", "two"].map { name in
            try StoreToolProcess("sap", path, tokens.server.baseURL.absoluteString, "40", name)
        }
        if !clientKnows {
            // Both have sent the old token before either is refused.
            try await arrival.waitForWaiters(12)
            arrival.open()
        }

        for program in programs { #expect(await program.ending() == .init(output: "40\n", isKilled: false, status: 0)) }

        #expect(tokens.log.refreshTokens == ["refresh-0"])
        #expect(tokens.log.accepted == 80)
    }
    #endif
}
