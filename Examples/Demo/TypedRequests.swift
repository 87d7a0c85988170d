// SPDX-License-Identifier: MIT

import ExampleTerminal
import Moya

/// Requests of a typed API, awaited and with a callback.
struct TypedRequests {
    private let provider = MoyaProvider<Located<CodeHost>>()
    private let baseURL: URL

    init(_ baseURL: URL) { self.baseURL = baseURL }

    private func target(_ api: CodeHost) -> Located<CodeHost> { Located(api: api, baseURL: baseURL) }

    func run() async throws {
        Terminal.title("Typed requests")

        let zen = try await provider.request(target(.zen)).mapString()
        try check(!zen.isEmpty, "a sentence")
        Terminal.done("GET /zen", zen)

        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let repositories = try await provider.request(target(.repositories(user: "ada"))).map([Repository].self, using: decoder)
        try check(repositories.count == 3, "three repositories")
        Terminal.done("GET /users/ada/repos, decoded", repositories.map { "\($0.name) ★\($0.stargazersCount)" }.joined(separator: ", "))

        let search = try await provider.request(target(.search(words: "tide & table", page: 2))).mapString(atKeyPath: "args.q")
        try check(search == "tide & table", "the words back as they were")
        Terminal.done("parameters in the query", "q = \(search)")

        let renamed = try await provider.request(target(.rename(repository: "harbour", to: NewName(name: "port"))))
        try check(try renamed.mapString(atKeyPath: "json.name") == "port", "the JSON that was sent")
        Terminal.done("PATCH with a JSON body", "status \(renamed.statusCode)")

        let name = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
            provider.request(target(.repositories(user: "grace")), callbackQueue: .global()) { result in
                continuation.resume(with: Result { try result.get().map([Repository].self, using: decoder)[0].name })
            }
        }
        Terminal.done("the same with a callback", name)

        do {
            _ = try await provider.request(target(.missing))
            throw StepFailure("expected status 404 to fail validation")
        } catch let error as MoyaError {
            try check(error.response?.statusCode == 404, "the response inside the error")
            Terminal.done("a typed error for 404", error.localizedDescription)
        }
    }
}

/// The plain requests of `--base-url`.
func showPlainRequests(to url: URL) async throws {
    struct Root: TargetType {
        let baseURL: URL
        let method: Moya.Method
        var path: String { "" }
        var task: Moya.Task { .requestPlain }
        var headers: [String: String]? { nil }
    }
    Terminal.title("OpenMoya, against \(url.absoluteString)")
    let provider = MoyaProvider<Root>()
    for method in [Moya.Method.get, .head, .options] {
        let response = try await provider.request(Root(baseURL: url, method: method))
        let type = response.response?.value(forHTTPHeaderField: "Content-Type") ?? "no content type"
        Terminal.done("\(method.rawValue) answered", "status \(response.statusCode), \(response.data.count) bytes, \(type)")
    }
}
