// SPDX-License-Identifier: MIT

import HTTPTesting
import Moya
import Testing

// The samples of the authentication guide as their readers type them in, run against a server. This file is compiled in Swift 5 mode as well.

private enum Server {
    /// Where the test's own server listens; without one nothing answers at the discard port.
    @TaskLocal static var baseURL = URL(string: "http://127.0.0.1:9")!

    static func run(_ body: () async throws -> Void) async throws {
        let server = try TestServer(handler: LoopbackAPI().respond)
        defer { server.close() }
        try await $baseURL.withValue(server.baseURL, operation: body)
    }
}

private enum YourAPI {
    case targetThatNeedsAuthentication
    case targetThatNeedsBearerAuth
    case targetThatNeedsBasicAuth
    case targetThatNeedsCustomAuth
    case targetDoesNotNeedAuth
}

extension YourAPI: TargetType, AccessTokenAuthorizable {
    var baseURL: URL { Server.baseURL }
    var path: String {
        switch self {
        case .targetThatNeedsAuthentication: return "/basic-auth/user/passwd"
        default: return "/headers"
        }
    }
    var method: Moya.Method { .get }
    var task: Task { .requestPlain }
    var headers: [String: String]? { nil }

    var authorizationType: AuthorizationType? {
        switch self {
        case .targetThatNeedsBearerAuth:
            return .bearer
        case .targetThatNeedsBasicAuth:
            return .basic
        case .targetThatNeedsCustomAuth:
            return .custom("CustomAuthorizationType")
        case .targetDoesNotNeedAuth, .targetThatNeedsAuthentication:
            return nil
        }
    }
}

/// Signs requests by way of another thread.
private enum YourAwesomeOAuthProvider {
    static func signRequest(_ request: URLRequest, completion: @escaping @Sendable (URLRequest) -> Void) {
        DispatchQueue.global().async {
            var request = request
            request.setValue("OAuth signed", forHTTPHeaderField: "Authorization")
            completion(request)
        }
    }

    static func signRequestPlainly(_ request: URLRequest, completion: @escaping (URLRequest) -> Void) {
        var request = request
        request.setValue("OAuth signed", forHTTPHeaderField: "Authorization")
        completion(request)
    }
}

@Suite(.timeLimit(.minutes(1))) struct AuthenticationGuideTests {
    /// What the server got.
    private static func authorization(in response: Response) throws -> String? {
        try response.map([String: String].self, atKeyPath: "headers")["Authorization"]
    }

    @Test func `a credential for every request`() async throws {
        try await Server.run {
            let provider = MoyaProvider<YourAPI>(
                plugins: [
                    CredentialsPlugin { _ -> URLCredential? in
                        return URLCredential(user: "user", password: "passwd", persistence: .none)
                    }
                ])

            let guarded = try await provider.request(.targetThatNeedsAuthentication)
            #expect(guarded.statusCode == 200)
        }
    }

    @Test func `a credential for those that need it`() async throws {
        try await Server.run {
            let provider = MoyaProvider<YourAPI>(
                plugins: [
                    CredentialsPlugin(for: YourAPI.self) { target -> URLCredential? in
                        switch target {
                        case .targetThatNeedsAuthentication:
                            return URLCredential(user: "user", password: "passwd", persistence: .none)
                        default:
                            return nil
                        }
                    }
                ])

            let guarded = try await provider.request(.targetThatNeedsAuthentication)
            #expect(guarded.statusCode == 200)
        }
    }

    @Test func `a credential for those that need it, with a cast`() async throws {
        try await Server.run {
            let provider = MoyaProvider<YourAPI>(
                plugins: [
                    CredentialsPlugin { target -> URLCredential? in
                        switch target as? YourAPI {
                        case .targetThatNeedsAuthentication:
                            return URLCredential(user: "user", password: "passwd", persistence: .none)
                        default:
                            return nil
                        }
                    }
                ])

            let guarded = try await provider.request(.targetThatNeedsAuthentication)
            #expect(guarded.statusCode == 200)
            let open = try await provider.request(.targetDoesNotNeedAuth)
            #expect(open.statusCode == 200)
        }
    }

    @Test func `an access token`() async throws {
        try await Server.run {
            let token = "eyeAm.AJsoN.weBTOKen"
            let authPlugin = AccessTokenPlugin { _ in token }
            let provider = MoyaProvider<YourAPI>(plugins: [authPlugin])

            let targets: [YourAPI] = [
                .targetThatNeedsBearerAuth, .targetThatNeedsBasicAuth, .targetThatNeedsCustomAuth, .targetDoesNotNeedAuth,
            ]
            var fields: [String?] = []
            for target in targets {
                fields.append(try await Self.authorization(in: provider.request(target)))
            }

            #expect(fields == ["Bearer \(token)", "Basic \(token)", "CustomAuthorizationType \(token)", nil])
        }
    }

    @Test func `a request signed on another thread`() async throws {
        try await Server.run {
            let requestClosure = { (endpoint: Endpoint, done: @escaping MoyaProvider<YourAPI>.RequestResultClosure) in
                // swift-format-ignore: NeverUseForceTry (the guide's own line)
                let request = try! endpoint.urlRequest()  // This is the request Moya generates
                YourAwesomeOAuthProvider.signRequest(
                    request,
                    completion: { signedRequest in
                        done(.success(signedRequest))
                    })
            }
            let provider = MoyaProvider<YourAPI>(requestClosure: requestClosure)

            let authorization = try await Self.authorization(in: provider.request(.targetDoesNotNeedAuth))
            #expect(authorization == "OAuth signed")
        }
    }

    @Test func `a request signed with plain function types`() async throws {
        try await Server.run {
            let requestClosure = { (endpoint: Endpoint, done: @escaping (Result<URLRequest, MoyaError>) -> Void) in
                guard let request = try? endpoint.urlRequest() else { return done(.failure(.requestMapping(endpoint.url))) }
                YourAwesomeOAuthProvider.signRequestPlainly(request, completion: { done(.success($0)) })
            }
            let provider = MoyaProvider<YourAPI>(requestClosure: requestClosure)

            let authorization = try await Self.authorization(in: provider.request(.targetDoesNotNeedAuth))
            #expect(authorization == "OAuth signed")
        }
    }

    @Test func `a request signed at once`() async throws {
        try await Server.run {
            let requestClosure = { (endpoint: Endpoint, done: (Result<URLRequest, MoyaError>) -> Void) in
                guard var request = try? endpoint.urlRequest() else { return done(.failure(.requestMapping(endpoint.url))) }
                request.setValue("OAuth signed", forHTTPHeaderField: "Authorization")
                done(.success(request))
            }
            let provider = MoyaProvider<YourAPI>(requestClosure: requestClosure)

            let authorization = try await Self.authorization(in: provider.request(.targetDoesNotNeedAuth))
            #expect(authorization == "OAuth signed")
        }
    }
}
