// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import Moya

enum Bank {
    case balance
    case rates
}

// snippet.target
extension Bank: TargetType, AccessTokenAuthorizable {
    var baseURL: URL { URL(string: "https://bank.example")! }
    var path: String { self == .balance ? "/balance" : "/rates" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }

    var authorizationType: AuthorizationType? {
        switch self {
        case .balance: .bearer
        case .rates: nil
        }
    }
}
// snippet.end

// snippet.credentials
let guarded = MoyaProvider<Bank>(plugins: [
    CredentialsPlugin(for: Bank.self) { target in
        target == .balance ? URLCredential(user: "ada", password: "lovelace", persistence: .none) : nil
    }
])
// snippet.end

// snippet.token
let tokens = MoyaProvider<Bank>(plugins: [AccessTokenPlugin { _ in "the token" }])
// snippet.end

// snippet.oauth2
func bank(_ client: OAuth2Client, _ token: OAuth2TokenResponse) -> MoyaProvider<Bank> {
    MoyaProvider<Bank>(oauth2: client, token: token)
}
// snippet.end

// snippet.refresh
struct Grant: AuthenticationCredential, Sendable {
    let accessToken: String
    let refreshToken: String
    let expiry: Date

    var requiresRefresh: Bool { expiry < Date(timeIntervalSinceNow: 60) }
}

final class BankAuthenticator: AsyncAuthenticator {
    func apply(_ credential: Grant, to urlRequest: inout URLRequest) {
        urlRequest.setValue("Bearer \(credential.accessToken)", forHTTPHeaderField: "Authorization")
    }

    func refresh(_ credential: Grant, for session: Session) async throws -> Grant {
        struct Answer: Decodable {
            let accessToken: String
            let refreshToken: String
            let expiresIn: Double
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let parameters = ["grant_type": "refresh_token", "refresh_token": credential.refreshToken]
        // Not by `session`, whose requests wait for this one.
        let answer = try await Session.default.request("https://bank.example/token", method: .post, parameters: parameters)
            .validate().serializingDecodable(Answer.self, decoder: decoder).value
        return Grant(
            accessToken: answer.accessToken, refreshToken: answer.refreshToken, expiry: Date(timeIntervalSinceNow: answer.expiresIn))
    }

    func didRequest(_ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Grant) -> Bool {
        urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer \(credential.accessToken)"
    }
}

func bank(with grant: Grant) -> MoyaProvider<Bank> {
    let interceptor = AuthenticationInterceptor(authenticator: BankAuthenticator(), credential: grant)
    return MoyaProvider<Bank>(session: Session(startRequestsImmediately: false, interceptor: interceptor))
}
// snippet.end

// snippet.signing
enum OAuthSigner {
    static func sign(_ request: URLRequest, completion: @escaping @Sendable (URLRequest) -> Void) {
        var signed = request
        signed.setValue("signature", forHTTPHeaderField: "X-Signature")
        completion(signed)
    }
}

let signingClosure = { (endpoint: Endpoint, done: @escaping MoyaProvider<Bank>.RequestResultClosure) in
    do {
        // The signer may make requests of its own; `done` may be called later, from any thread.
        OAuthSigner.sign(try endpoint.urlRequest()) { done(.success($0)) }
    } catch {
        done(.failure(error as? MoyaError ?? .underlying(error, nil)))
    }
}
let signed = MoyaProvider<Bank>(requestClosure: signingClosure)
// snippet.end
