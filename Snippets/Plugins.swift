// SPDX-License-Identifier: MIT

import Foundation
import Moya

enum Diary: TargetType {
    case today

    var baseURL: URL { URL(string: "https://diary.example")! }
    var path: String { "/today" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
}

// snippet.plugin
/// Gives each request a number of its own, and says how each one ended.
struct Numbering: PluginType {
    let nextNumber: @Sendable () -> Int

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        var request = request
        request.setValue("\(nextNumber())", forHTTPHeaderField: "X-Request-Number")
        return request
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        print(target.path, (try? result.get().statusCode).map(String.init) ?? "failed")
    }
}
// snippet.end

// snippet.async
/// Waits for a token before each request.
struct Signing: AsyncPluginType {
    let token: @Sendable () async throws -> String

    func preparing(_ request: URLRequest, target: any TargetType) async throws -> URLRequest {
        var request = request
        request.setValue("Bearer \(try await token())", forHTTPHeaderField: "Authorization")
        return request
    }
}
// snippet.end

// snippet.logger
let logger = NetworkLoggerPlugin(configuration: .init(logOptions: [.requestMethod, .successResponseBody]))
let loggedDiary = MoyaProvider<Diary>(plugins: [logger])
// snippet.end
