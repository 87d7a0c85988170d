// SPDX-License-Identifier: MIT

import HTTPSessions

// snippet.client
func makeClient() async throws -> OAuth2Client {
    guard let issuer = URL(string: "https://login.example") else { throw URLError(.badURL) }
    // Its endpoints, from /.well-known/oauth-authorization-server or, if there is none, /.well-known/openid-configuration.
    let server = try await OAuth2AuthorizationServer.discover(issuer: issuer)
    return OAuth2Client(clientID: "tides", server: server)
}
// snippet.end

// snippet.person
func logIn(_ client: OAuth2Client) async throws -> OAuth2TokenResponse {
    // Opens the system's browser, and waits on 127.0.0.1 for where the log-in page leads.
    try await client.logIn(scopes: ["levels.read"], redirectPath: "/callback")
}
// snippet.end

// snippet.device
func logInFromAnotherDevice(_ client: OAuth2Client) async throws -> OAuth2TokenResponse {
    let device = try await client.deviceAuthorization(scopes: ["levels.read"])
    print("Go to \(device.verificationURL.absoluteString) and enter \(device.userCode)")
    return try await client.token(for: device)
}
// snippet.end

// snippet.service
func serviceToken(_ server: OAuth2AuthorizationServer, secret: String) async throws -> OAuth2TokenResponse {
    let client = OAuth2Client(clientID: "collector", authentication: .secretBasic(secret), server: server)
    return try await client.clientCredentials(scopes: ["levels.write"])
}
// snippet.end

// snippet.session
func session(_ client: OAuth2Client, _ token: OAuth2TokenResponse) -> Session {
    let authenticator = OAuth2TokenAuthenticator(client: client)
    return Session(interceptor: AuthenticationInterceptor(authenticator: authenticator, credential: OAuth2Credential(token)))
}
// snippet.end

// snippet.errors
func level(_ session: Session) async -> String {
    let response = await session.request("https://tides.example/level").validate().serializingString().response
    switch response.error {
    case nil: return response.value ?? ""
    case .requestRetryFailed(let error as OAuth2ClientError, _) where error.kind == .invalidGrant,
        .requestAdaptationFailed(let error as OAuth2ClientError) where error.kind == .invalidGrant:
        return "Please log in again. (\(error))"
    case let error?: return error.localizedDescription
    }
}
// snippet.end

// snippet.logout
func logOut(_ client: OAuth2Client, _ token: OAuth2TokenResponse) async throws {
    try await client.revoke(token)
}
// snippet.end
