// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import HTTPTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a ``TokenServer`` gives.
package struct RotatingToken: AuthenticationCredential, Codable, Equatable, Sendable {
    package let accessToken: String
    package let refreshToken: String
    /// Whether the client knows that it has expired.
    package var requiresRefresh: Bool

    package init(number: Int = 0, requiresRefresh: Bool = false) {
        accessToken = "access-\(number)"
        refreshToken = "refresh-\(number)"
        self.requiresRefresh = requiresRefresh
    }

    fileprivate init(accessToken: String, refreshToken: String) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        requiresRefresh = false
    }
}

/// Refreshes at a ``TokenServer`` by a session of its own.
package final class RotatingAuthenticator: AsyncAuthenticator {
    private struct Answer: Decodable {
        let access_token: String
        let refresh_token: String
    }

    /// The access tokens that were to be refreshed.
    package let refreshed = EventRecorder<String>()
    private let url: URL
    private let client: String
    private let session = Session(configuration: URLSessionConfiguration.af.ephemeral)

    package init(server: URL, client: String = "") {
        url = server.appendingPathComponent("token")
        self.client = client
    }

    package func apply(_ credential: RotatingToken, to urlRequest: inout URLRequest) {
        urlRequest.headers.update(.authorization(bearerToken: credential.accessToken))
    }

    package func refresh(_ credential: RotatingToken, for session: Session) async throws -> RotatingToken {
        refreshed.record(credential.accessToken)
        let answer = try await self.session.request(
            url, method: .post, parameters: ["grant_type": "refresh_token", "refresh_token": credential.refreshToken],
            headers: ["X-Client": client]
        ).validate().serializingDecodable(Answer.self).value
        return RotatingToken(accessToken: answer.access_token, refreshToken: answer.refresh_token)
    }

    package func didRequest(
        _ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error
    ) -> Bool { response.statusCode == 401 }

    package func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: RotatingToken) -> Bool {
        urlRequest.headers["Authorization"] == "Bearer \(credential.accessToken)"
    }
}
