// SPDX-License-Identifier: MIT

import Moya

/// A small API, as users write them.
enum Zoo {
    case zen
    case animal(String)
    case login(name: String)
    case feed([String: Any])
}

extension Zoo: TargetType {
    var baseURL: URL { URL(string: "https://zoo.example")! }

    var path: String {
        switch self {
        case .zen: "/zen"
        case .animal(let name): "/animals/\(name)"
        case .login: "/login"
        case .feed: "/feed"
        }
    }

    var method: Moya.Method {
        switch self {
        case .zen, .animal: .get
        case .login, .feed: .post
        }
    }

    var sampleData: Data {
        switch self {
        case .zen: Data("Half measures are as bad as nothing at all.".utf8)
        case .animal(let name): Data("{\"name\": \"\(name)\"}".utf8)
        case .login, .feed: Data()
        }
    }

    var task: Task {
        switch self {
        case .zen, .animal: .requestPlain
        case .login(let name): .requestParameters(parameters: ["name": name], encoding: URLEncoding.default)
        case .feed(let meal): .requestParameters(parameters: meal, encoding: JSONEncoding.default)
        }
    }

    var validationType: ValidationType {
        switch self {
        case .zen, .feed: .none
        case .animal, .login: .successCodes
        }
    }

    var headers: [String: String]? {
        switch self {
        case .zen: nil
        case .animal, .login, .feed: ["Accept": "application/json"]
        }
    }
}

/// A target of any shape.
struct AnyTarget: TargetType {
    var baseURL = URL(string: "https://zoo.example")!
    var path = "/any"
    var method = Moya.Method.get
    var task = Task.requestPlain
    var sampleData = Data()
    var validationType = ValidationType.none
    var headers: [String: String]?
}
