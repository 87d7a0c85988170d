// SPDX-License-Identifier: MIT

import Moya
import Testing

// The samples of the authentication guide as their readers type them in.

private enum YourAPI {
    case targetThatNeedsAuthentication
    case targetThatNeedsBearerAuth
    case targetThatNeedsBasicAuth
    case targetThatNeedsCustomAuth
    case targetDoesNotNeedAuth
}

extension YourAPI: TargetType, AccessTokenAuthorizable {
    var baseURL: URL { URL(string: "https://your.example")! }
    var path: String { "/\(self)" }
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
    @Test func `a credential for every request`() async throws {
        let provider = MoyaProvider<YourAPI>(
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [
                CredentialsPlugin { _ -> URLCredential? in
                    return URLCredential(user: "user", password: "passwd", persistence: .none)
                }
            ])

        #expect(try await provider.request(.targetThatNeedsAuthentication).statusCode == 200)
    }

    @Test func `a credential for those that need it`() async throws {
        let provider = MoyaProvider<YourAPI>(
            stubClosure: MoyaProvider.immediatelyStub,
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

        #expect(try await provider.request(.targetThatNeedsAuthentication).statusCode == 200)
    }

    @Test func `an access token`() async throws {
        let token = "eyeAm.AJsoN.weBTOKen"
        let authPlugin = AccessTokenPlugin { _ in token }
        let provider = MoyaProvider<YourAPI>(stubClosure: MoyaProvider.immediatelyStub, plugins: [authPlugin])

        let targets: [YourAPI] = [
            .targetThatNeedsBearerAuth, .targetThatNeedsBasicAuth, .targetThatNeedsCustomAuth, .targetDoesNotNeedAuth,
        ]
        var fields: [String?] = []
        for target in targets {
            fields.append(try await provider.request(target).request?.value(forHTTPHeaderField: "Authorization"))
        }

        #expect(fields == ["Bearer \(token)", "Basic \(token)", "CustomAuthorizationType \(token)", nil])
    }

    @Test func `a request signed on another thread`() async throws {
        let requestClosure = { (endpoint: Endpoint, done: @escaping MoyaProvider<YourAPI>.RequestResultClosure) in
            // swift-format-ignore: NeverUseForceTry (the guide's own line)
            let request = try! endpoint.urlRequest()  // This is the request Moya generates
            YourAwesomeOAuthProvider.signRequest(
                request,
                completion: { signedRequest in
                    done(.success(signedRequest))
                })
        }
        let provider = MoyaProvider<YourAPI>(requestClosure: requestClosure, stubClosure: MoyaProvider.immediatelyStub)

        let response = try await provider.request(.targetDoesNotNeedAuth)

        #expect(response.request?.value(forHTTPHeaderField: "Authorization") == "OAuth signed")
    }

    @Test func `a request signed with plain function types`() async throws {
        let requestClosure = { (endpoint: Endpoint, done: @escaping (Result<URLRequest, MoyaError>) -> Void) in
            guard let request = try? endpoint.urlRequest() else { return done(.failure(.requestMapping(endpoint.url))) }
            YourAwesomeOAuthProvider.signRequestPlainly(request, completion: { done(.success($0)) })
        }
        let provider = MoyaProvider<YourAPI>(requestClosure: requestClosure, stubClosure: MoyaProvider.immediatelyStub)

        let response = try await provider.request(.targetDoesNotNeedAuth)

        #expect(response.request?.value(forHTTPHeaderField: "Authorization") == "OAuth signed")
    }

    @Test func `a request signed at once`() async throws {
        let requestClosure = { (endpoint: Endpoint, done: (Result<URLRequest, MoyaError>) -> Void) in
            guard var request = try? endpoint.urlRequest() else { return done(.failure(.requestMapping(endpoint.url))) }
            request.setValue("OAuth signed", forHTTPHeaderField: "Authorization")
            done(.success(request))
        }
        let provider = MoyaProvider<YourAPI>(requestClosure: requestClosure, stubClosure: MoyaProvider.immediatelyStub)

        let response = try await provider.request(.targetDoesNotNeedAuth)

        #expect(response.request?.value(forHTTPHeaderField: "Authorization") == "OAuth signed")
    }
}
