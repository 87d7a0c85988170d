// SPDX-License-Identifier: MIT

import HTTPSessions
import Moya
import Synchronization

/// Signs requests with a bearer token and fetches a new one when there is none, or when the server refuses the one at hand.
/// `AuthenticationInterceptor` sees to it that this happens once, for however many requests wait.
final class TokenRefresher: AsyncAuthenticator {
    struct Grant: AuthenticationCredential, Decodable, Sendable {
        let accessToken: String
        var requiresRefresh: Bool { accessToken.isEmpty }

        static let missing = Grant(accessToken: "")
    }

    private let tokenURL: URL
    // Not the provider's session, whose requests wait for the token.
    private let tokenSession = Session()
    private let count = Atomic(0)

    init(tokenURL: URL) { self.tokenURL = tokenURL }

    var refreshCount: Int { count.load(ordering: .relaxed) }

    func apply(_ credential: Grant, to urlRequest: inout URLRequest) {
        urlRequest.headers.update(.authorization(bearerToken: credential.accessToken))
    }

    func refresh(_ credential: Grant, for session: Session) async throws -> Grant {
        count.add(1, ordering: .relaxed)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try await tokenSession.request(tokenURL, method: .post, parameters: ["grant_type": "client_credentials"])
            .validate()
            .serializingDecodable(Grant.self, decoder: decoder)
            .value
    }

    func didRequest(_ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Grant) -> Bool {
        urlRequest.headers["Authorization"] == HTTPHeader.authorization(bearerToken: credential.accessToken).value
    }
}
