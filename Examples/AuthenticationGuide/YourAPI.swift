// SPDX-License-Identifier: MIT

import Moya

/// The guide's API. It writes the cases into the extension, where Swift does not take them.
enum YourAPI {
    case targetThatNeedsAuthentication
    case targetThatNeedsDigestAuth
    case targetThatNeedsOAuth
    case targetThatNeedsBearerAuth
    case targetThatNeedsBasicAuth
    case targetThatNeedsCustomAuth
    case targetDoesNotNeedAuth
}

extension YourAPI: TargetType, AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? {
        switch self {
        case .targetThatNeedsBearerAuth, .targetThatNeedsOAuth:
            return .bearer
        case .targetThatNeedsBasicAuth:
            return .basic
        case .targetThatNeedsCustomAuth:
            return .custom("CustomAuthorizationType")
        case .targetDoesNotNeedAuth, .targetThatNeedsAuthentication, .targetThatNeedsDigestAuth:
            return nil
        }
    }
}

// Where the samples' targets are, which the guide leaves to its readers.
extension YourAPI {
    var baseURL: URL {
        switch self {
        case .targetThatNeedsAuthentication, .targetThatNeedsDigestAuth: Servers.apache
        case .targetThatNeedsOAuth: Servers.authorization
        case .targetThatNeedsBearerAuth, .targetThatNeedsBasicAuth, .targetThatNeedsCustomAuth, .targetDoesNotNeedAuth: Servers.nginx
        }
    }

    var path: String {
        switch self {
        case .targetThatNeedsAuthentication: "/basic/message.json"
        case .targetThatNeedsDigestAuth: "/digest/message.json"
        case .targetThatNeedsOAuth: "/resource"
        case .targetThatNeedsBearerAuth, .targetThatNeedsBasicAuth, .targetThatNeedsCustomAuth, .targetDoesNotNeedAuth: "/echo"
        }
    }

    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
}
