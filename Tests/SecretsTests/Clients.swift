// SPDX-License-Identifier: MIT

import Foundation
import HTTPAuthentication
import HTTPMessages
import HTTPSessions
import HTTPTesting
import Testing

extension EverythingPrintedTests {
    func lookAtClients(_ looker: Looker) async throws {
        let server = try Self.server()
        let token = OAuth2TokenResponse(accessToken: Looker.token, expiryDate: .distantPast, refreshToken: Looker.token)
        let credential = OAuth2Credential(token)
        looker.look(at: token, "OAuth2TokenResponse")
        looker.look(at: credential, "OAuth2Credential")
        for authentication in [OAuth2ClientAuthentication.secretBasic(Looker.password), .secretPost(Looker.password), .none] {
            for path in ["/token"] + Self.paths {
                let client = OAuth2Client(
                    clientID: Looker.user, authentication: authentication,
                    server: OAuth2AuthorizationServer(
                        authorizationEndpoint: server.url("/authorize"), tokenEndpoint: server.url(path),
                        deviceAuthorizationEndpoint: server.url(path), revocationEndpoint: server.url(path)))
                let authenticator = OAuth2TokenAuthenticator(client: client)
                let request = try client.authorizationRequest(redirectURL: try #require(URL(string: "http://127.0.0.1:1/")))
                for value in [client, authentication, authenticator, request] as [Any] { looker.look(at: value, "\(type(of: value))") }
                for attempt in [
                    { _ = try await client.refresh(token) }, { _ = try await client.clientCredentials() },
                    { _ = try await client.token(for: request, code: Looker.token) }, { _ = try await client.deviceAuthorization() },
                ] as [() async throws -> Void] {
                    do {
                        try await attempt()
                    } catch {
                        looker.look(at: error, "an error of a client at \(path)")
                    }
                }

                let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: credential)
                let session = Session(configuration: URLSessionConfiguration.af.ephemeral, interceptor: interceptor)
                let response = await session.request(server.url("/in")).validate().serializingData().response
                looker.look(at: interceptor, "an interceptor of a client")
                looker.look(at: response, "a response after a refresh at \(path)")
                if let error = response.error {
                    looker.look(at: error, "an error of a refresh at \(path)")
                    if let underlying = error.underlyingError { looker.look(at: underlying, "the cause of an error at \(path)") }
                }
            }
        }
    }
}
