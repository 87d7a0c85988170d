// SPDX-License-Identifier: MIT

import Moya

/// An API as an enum: a request is one of its cases.
enum CodeHost {
    case zen
    case repositories(user: String)
    case search(words: String, page: Int)
    case rename(repository: String, to: NewName)
    case missing
}

struct NewName: Encodable {
    let name: String
}

struct Repository: Decodable {
    let name: String
    let language: String
    let stargazersCount: Int
}

/// Where the API is, and what each case asks for.
struct Located<API>: Sendable where API: Sendable {
    let api: API
    let baseURL: URL
}

extension CodeHost: Sendable {}
extension NewName: Sendable {}

extension Located: TargetType where API == CodeHost {
    var path: String {
        switch api {
        case .zen: "/zen"
        case .repositories(let user): "/users/\(user)/repos"
        case .search: "/get"
        case .rename: "/patch"
        case .missing: "/users/nobody"
        }
    }

    var method: Moya.Method {
        if case .rename = api { .patch } else { .get }
    }

    var task: Moya.Task {
        switch api {
        case .zen, .repositories, .missing: .requestPlain
        case .search(let words, let page): .requestParameters(parameters: ["q": words, "page": page], encoding: URLEncoding.default)
        case .rename(_, let name): .requestJSONEncodable(name)
        }
    }

    var headers: [String: String]? { ["Accept": "application/json"] }
    var validationType: ValidationType { .successCodes }
    var sampleData: Data { Data(#"[{"name": "lighthouse", "language": "Swift", "stargazers_count": 128}]"#.utf8) }
}
