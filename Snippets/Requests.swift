// SPDX-License-Identifier: MIT

import Foundation
import Moya

enum News: TargetType {
    case headlines
    case video

    var baseURL: URL { URL(string: "https://news.example")! }
    var path: String { self == .headlines ? "/headlines" : "/video" }
    var method: Moya.Method { .get }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
}

struct Headline: Decodable {
    let title: String
}

let news = MoyaProvider<News>()

// snippet.await
func headlines() async throws -> [Headline] {
    let response = try await news.request(.headlines)
    return try response.filterSuccessfulStatusCodes().map([Headline].self, atKeyPath: "items")
}
// snippet.end

// snippet.callback
@discardableResult
func loadHeadlines() -> any Cancellable {
    news.request(.headlines) { result in
        switch result {
        case .success(let response): print(response.statusCode, response.data.count)
        case .failure(let error): print(error.localizedDescription)
        }
    }
}
// snippet.end

// snippet.progress
func watchVideo() async throws {
    for try await step in news.requestWithProgress(.video) {
        if let response = step.response {
            print("\(response.data.count) bytes")
        } else {
            print("\(Int(step.progress * 100)) %")
        }
    }
}
// snippet.end

// snippet.cancel
func headlinesUnlessLate() async throws -> Response {
    try await withThrowingTaskGroup(of: Response.self) { group in
        group.addTask { try await news.request(.headlines) }
        group.addTask {
            try await _Concurrency.Task.sleep(for: .seconds(2))
            throw CancellationError()
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}
// snippet.end

// snippet.errors
func explain(_ error: MoyaError) -> String {
    switch error {
    case .statusCode(let response): "the server answered \(response.statusCode)"
    case .objectMapping(let reason, _): "the answer has another form: \(reason)"
    case .underlying(let reason, let response):
        if let code = error.urlError?.code {
            code == .timedOut ? "the server took too long" : "no connection: \(code)"
        } else if let response {
            "refused with \(response.statusCode): \(reason.localizedDescription)"
        } else {
            reason.localizedDescription
        }
    default: error.localizedDescription
    }
}
// snippet.end
