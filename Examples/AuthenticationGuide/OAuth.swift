// SPDX-License-Identifier: MIT

import ExampleTerminal
import HTTPSessions
import Moya

/// The guide's section on OAuth: signing takes requests of its own.
enum OAuth {
    static func run() async throws {
        Terminal.title("OAuth 2.0, with Authlib's server at \(Servers.authorization.absoluteString)")

        let server = try await OAuth2AuthorizationServer.discover(issuer: Servers.authorization)
        let client = OAuth2Client(clientID: "public", server: server)
        let token = try await client.logIn(scopes: ["read"], redirectPath: "/callback", opening: Person.logIn)
        Terminal.done("a person has logged in", "authorization code with PKCE; \(token.scopes.joined(separator: " "))")

        try await signing(client, token)
        try await renewing(client, try await client.logIn(redirectPath: "/callback", opening: Person.logIn))
    }

    private static func signing(_ client: OAuth2Client, _ token: OAuth2TokenResponse) async throws {
        var ending = token
        ending.expiryDate = Date()
        let YourAwesomeOAuthProvider = YourAwesomeOAuthProvider(client: client, token: ending)

        // `done` is the guide's `URLRequest -> Void`, as its call of it wants: with a result.
        let requestClosure = { (endpoint: Endpoint, done: @escaping MoyaProvider<YourAPI>.RequestResultClosure) in
            // The guide's own line; a URL that cannot be made would end the program here.
            // swift-format-ignore: NeverUseForceTry
            let request = try! endpoint.urlRequest()  // This is the request Moya generates

            YourAwesomeOAuthProvider.signRequest(
                request,
                completion: { signedRequest in
                    // The OAuth provider can make its own network calls to sign your request.
                    // However, you *must* call `done()` with the signed so that Moya can
                    // actually send it!
                    done(.success(signedRequest))
                })
        }
        let provider = MoyaProvider<YourAPI>(requestClosure: requestClosure)

        try await twenty(provider)
        let renewed = YourAwesomeOAuthProvider.token
        try check(renewed != nil && renewed?.accessToken != token.accessToken, "another token in the place of the one that has ended")
        Terminal.done("twenty requests signed, the token having ended", "20 x 200, one refresh")
    }

    private static func renewing(_ client: OAuth2Client, _ token: OAuth2TokenResponse) async throws {
        let provider = MoyaProvider<YourAPI>(oauth2: client, token: token)
        try await twenty(provider)
        Terminal.done("a provider made in one line", "20 x 200")

        let ended = try await MoyaProvider<AuthorizationAPI>().request(.expire(token.accessToken))
        try check(ended.statusCode == 200, "the server to end the token, not \(ended.statusCode)")
        // The refresh token is good for one time: a second use of it would take back every token, the new one included.
        try await twenty(provider)
        Terminal.done("the same when the server has ended the token", "20 x 200, one refresh")
    }

    private static func twenty(_ provider: MoyaProvider<YourAPI>) async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { try await provider.request(.targetThatNeedsOAuth).statusCode }
            }
            for try await status in group { try check(status == 200, "200 for each of twenty requests, not \(status)") }
        }
    }
}

/// Signs requests, and fetches another token first where the one at hand has ended: once for however many wait.
struct YourAwesomeOAuthProvider: Sendable {
    private let interceptor: AuthenticationInterceptor<OAuth2TokenAuthenticator>
    // Signing needs to know the session that sends; the token's requests go another way.
    private let session = Session()

    init(client: OAuth2Client, token: OAuth2TokenResponse) {
        interceptor = AuthenticationInterceptor(
            authenticator: OAuth2TokenAuthenticator(client: client), credential: OAuth2Credential(token))
    }

    var token: OAuth2TokenResponse? { interceptor.credential?.token }

    func signRequest(_ request: URLRequest, completion: @escaping @Sendable (URLRequest) -> Void) {
        interceptor.adapt(request, for: session) { result in
            // Unsigned if there is no token: the server says why.
            completion((try? result.get()) ?? request)
        }
    }
}
