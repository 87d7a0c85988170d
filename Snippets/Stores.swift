// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import SAPFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet.values
struct Grant: AuthenticationCredential, Codable, Equatable, Sendable {
    let accessToken: String
    let refreshToken: String
    let expiry: Date

    var requiresRefresh: Bool { expiry < Date(timeIntervalSinceNow: 60) }
}

let store = FileSecretStore(path: NSHomeDirectory() + "/.config/bank/secrets.json")

/// What a person has signed in to get.
func keep(_ grant: Grant) async throws {
    try await StoredValue(in: store, under: "bank").save(grant)
}
// snippet.end

final class BankAuthenticator: AsyncAuthenticator {
    func apply(_ credential: Grant, to urlRequest: inout URLRequest) {
        urlRequest.setValue("Bearer \(credential.accessToken)", forHTTPHeaderField: "Authorization")
    }

    func refresh(_ credential: Grant, for session: Session) async throws -> Grant { credential }

    func didRequest(_ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Grant) -> Bool {
        urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer \(credential.accessToken)"
    }
}

// snippet.interceptor
func bankSession() throws -> Session {
    let interceptor = try AuthenticationInterceptor(authenticator: BankAuthenticator(), storedIn: store, key: "bank")
    return Session(interceptor: interceptor)
}
// snippet.end

// snippet.observers
func ordersSession() -> SAPURLSession {
    let secrets = SecretCodableStore(FileSecretStore(path: NSHomeDirectory() + "/.config/orders/secrets.json"))
    let session = SAPURLSession()
    session.register(BasicAuthenticationObserver(basicCredentialStore: BasicCredentialStorage(store: secrets)))
    return session
}
// snippet.end
