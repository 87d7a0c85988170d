// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import SAPFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session whose observer keeps its token in the shared file.
final class Observed: Sendable {
    private let session = SAPURLSession()
    private let server: URL
    private let name: String

    init(path: String, server: URL, name: String) {
        self.server = server
        self.name = name
        let parameters = OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: server.appendingPathComponent("token")) {
            var request = $0
            request.setValue(name, forHTTPHeaderField: "X-Client")
            return request
        }
        session.register(
            OAuth2Observer(
                authenticator: OAuth2Authenticator(authenticationParameters: parameters),
                tokenStore: OAuth2TokenStorage(store: SecretCodableStore(FileSecretStore(path: path)))))
    }

    func isAnswered(_ number: Int) async throws -> Bool {
        let (data, _) = try await session.data(for: URLRequest(url: server.appendingPathComponent("\(name)-\(number)")))
        return data == Data("content".utf8)
    }
}
