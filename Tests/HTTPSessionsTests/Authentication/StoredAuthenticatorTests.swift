// SPDX-License-Identifier: MIT

import AuthenticationSuite
import Foundation
import HTTPMessages
import HTTPTesting
import Testing

@testable import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1)))
struct StoredAuthenticatorTests {
    private func session(_ tokens: TokenServer, _ store: any SecretStore) throws -> (Session, RotatingAuthenticator) {
        let authenticator = RotatingAuthenticator(server: tokens.server.baseURL)
        let interceptor = try AuthenticationInterceptor(authenticator: authenticator, storedIn: store, key: "token")
        return (Session.alone(interceptor: interceptor), authenticator)
    }

    private func text(_ session: Session, _ tokens: TokenServer) async throws -> String {
        try await session.request(tokens.server.url("/")).validate().serializingString().value
    }

    @Test func `a refreshed token is stored, and a session made later begins with it`() async throws {
        let tokens = try TokenServer(isExpired: true)
        let store = MemorySecretStore()
        try store.setValue(RotatingToken(), for: "token")
        let (first, _) = try session(tokens, store)

        #expect(try await text(first, tokens) == "content")
        #expect(try store.value(RotatingToken.self, for: "token")?.accessToken == "access-1")
        let (second, authenticator) = try session(tokens, store)
        #expect(try await text(second, tokens) == "content")

        #expect(authenticator.refreshed.events.isEmpty)
        #expect(tokens.log.refreshTokens == ["refresh-0"])
    }

    @Test func `a token that another session has refreshed is taken from the store`() async throws {
        let tokens = try TokenServer(isExpired: true)
        let store = MemorySecretStore()
        try store.setValue(RotatingToken(), for: "token")
        // Both begin with the token that has expired.
        let (first, _) = try session(tokens, store)
        let (second, authenticator) = try session(tokens, store)

        #expect(try await text(first, tokens) == "content")
        #expect(try await text(second, tokens) == "content")

        #expect(authenticator.refreshed.events.isEmpty)
        #expect(tokens.log.refreshTokens == ["refresh-0"])
    }

    @Test func `without a stored token nothing is sent`() async throws {
        let tokens = try TokenServer()
        let (session, _) = try session(tokens, MemorySecretStore())

        let error = await #expect(throws: AFError.self) { try await text(session, tokens) }

        #expect(error?.underlyingError as? AuthenticationError == .missingCredential)
        #expect(tokens.server.requestCount == 0)
    }

    @Test func `an initial token is refreshed while nothing is stored, and what comes of it is stored`() async throws {
        let tokens = try TokenServer(isExpired: true)
        let store = MemorySecretStore()
        let session = Session.alone(
            interceptor: try AuthenticationInterceptor(
                authenticator: RotatingAuthenticator(server: tokens.server.baseURL), storedIn: store, key: "token",
                initially: RotatingToken(requiresRefresh: true)))

        #expect(try await text(session, tokens) == "content")

        #expect(tokens.log.refused == 0)
        #expect(try store.value(RotatingToken.self, for: "token")?.accessToken == "access-1")
    }

    @Test func `a token that was removed meanwhile is not refreshed`() async throws {
        let tokens = try TokenServer(isExpired: true)
        let store = MemorySecretStore()
        try store.setValue(RotatingToken(), for: "token")
        let (session, _) = try session(tokens, store)

        store.removeAllSecrets()
        let error = await #expect(throws: AFError.self) { try await text(session, tokens) }

        guard case .requestRetryFailed(let cause, _) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect((cause as? SecretStoreError)?.label == "nothingStored")
        #expect(tokens.log.refreshTokens.isEmpty)
    }

    @Test func `a store that cannot be read fails the making of the interceptor`() throws {
        let store = MemorySecretStore()
        try store.setValue("not a token", for: "token")
        #expect(throws: SecretStoreError.unreadable(key: "token")) {
            try AuthenticationInterceptor(
                authenticator: RotatingAuthenticator(server: URL(fileURLWithPath: "/")), storedIn: store, key: "token")
        }
    }
}
