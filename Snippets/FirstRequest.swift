// SPDX-License-Identifier: MIT

// An API as an enum, and one of its cases sent.

// snippet.show
import Moya

enum GitHub: TargetType {
    case zen
    case repositories(user: String)

    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String {
        switch self {
        case .zen: "/zen"
        case .repositories(let user): "/users/\(user)/repos"
        }
    }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { ["Accept": "application/json"] }
}

struct Repository: Decodable {
    let name: String
}

let provider = MoyaProvider<GitHub>()

func repositoryNames(of user: String) async throws -> [String] {
    let response = try await provider.request(.repositories(user: user))
    return try response.filterSuccessfulStatusCodes().map([Repository].self).map(\.name)
}
// snippet.hide
