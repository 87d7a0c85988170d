// SPDX-License-Identifier: MIT

import ExampleTerminal
import HTTPSessions
import HTTPTesting
import Moya
import Synchronization

/// Challenges answered and tokens refreshed.
struct CredentialSteps {
    struct Guarded: TargetType, AccessTokenAuthorizable, Sendable {
        let baseURL: URL
        let path: String
        var authorizationType: AuthorizationType? = nil
        var method: Moya.Method { .get }
        var task: Moya.Task { .requestPlain }
        var headers: [String: String]? { nil }
        var validationType: ValidationType { .successCodes }
    }

    private let baseURL: URL
    private let api: LoopbackAPI

    init(_ baseURL: URL, api: LoopbackAPI) {
        self.baseURL = baseURL
        self.api = api
    }

    func run() async throws {
        Terminal.title("Credentials")

        let provider = MoyaProvider<Guarded>(plugins: [
            CredentialsPlugin { _ in URLCredential(user: "ada", password: "lovelace", persistence: .none) }
        ])
        for (scheme, path) in [
            ("Basic", "/basic-auth/ada/lovelace"), ("Digest", "/digest-auth/auth/ada/lovelace"),
            ("Digest with SHA-256", "/digest-auth/auth/ada/lovelace/SHA-256"),
        ] {
            let response = try await provider.request(Guarded(baseURL: baseURL, path: path))
            try check(response.statusCode == 200, "the \(scheme) challenge to be answered")
            Terminal.done("a \(scheme) challenge answered", path)
        }

        let refresher = TokenRefresher(tokenURL: baseURL.appendingPathComponent("token"))
        let interceptor = AuthenticationInterceptor(authenticator: refresher, credential: .missing)
        let session = Session(startRequestsImmediately: false, interceptor: interceptor)
        let tokens = MoyaProvider<Guarded>(session: session)
        let target = Guarded(baseURL: baseURL, path: "/protected", authorizationType: .bearer)
        _ = try await tokens.request(target)
        Terminal.done("a token fetched and sent", "Authorization: Bearer …")

        api.expireTokens()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try await tokens.request(target) }
            }
            try await group.waitForAll()
        }
        try check(refresher.refreshCount == 2, "one refresh for all")
        Terminal.done("an expired token refreshed", "once, for twenty requests that were waiting")
    }
}
