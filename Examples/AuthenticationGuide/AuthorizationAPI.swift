// SPDX-License-Identifier: MIT

import Moya

/// What the authorization server is asked besides what an `OAuth2Client` asks it.
enum AuthorizationAPI {
    /// A token for the program itself.
    case logIn(secret: String)
    /// The end of an access token, before its time.
    case expire(String)
}

extension AuthorizationAPI: TargetType {
    var baseURL: URL { Servers.authorization }
    var method: Moya.Method { .post }
    var headers: [String: String]? { nil }

    var path: String {
        switch self {
        case .logIn: "/token"
        case .expire: "/expire"
        }
    }

    var task: Moya.Task {
        switch self {
        case .logIn(let secret):
            .requestParameters(
                parameters: ["grant_type": "client_credentials", "client_id": "post", "client_secret": secret],
                encoding: URLEncoding.httpBody)
        case .expire(let token): .requestParameters(parameters: ["token": token], encoding: URLEncoding.httpBody)
        }
    }
}
