// SPDX-License-Identifier: MIT

import ExampleTerminal
import HTTPTesting
import Moya
import Synchronization

/// Stubs, which need no server, and the logger.
struct OfflineSteps {
    private let baseURL: URL
    private let server: TestServer

    init(_ baseURL: URL, server: TestServer) {
        self.baseURL = baseURL
        self.server = server
    }

    func run() async throws {
        Terminal.title("Tests and logs")

        let before = server.requestCount
        let stubbed = MoyaProvider<Located<CodeHost>>(stubClosure: MoyaProvider.immediatelyStub)
        let repositories = try await stubbed.request(Located(api: .repositories(user: "ada"), baseURL: baseURL))
        try check(try repositories.mapString(atKeyPath: nil).contains("lighthouse"), "the sample data")
        try check(server.requestCount == before, "no request at the server")
        Terminal.done("a stub answers", "from sampleData; the server saw nothing")

        let lines = Mutex<[String]>([])
        let logger = NetworkLoggerPlugin(
            configuration: .init(output: { _, items in lines.withLock { $0 += items } }, logOptions: [.requestMethod, .requestHeaders]))
        let provider = MoyaProvider<CredentialSteps.Guarded>(plugins: [AccessTokenPlugin { _ in "very-secret" }, logger])
        _ = try await provider.request(CredentialSteps.Guarded(baseURL: baseURL, path: "/bearer", authorizationType: .bearer))
        let log = lines.withLock { $0.joined(separator: "\n") }
        try check(log.contains("Authorization") && !log.contains("very-secret"), "a log without the token")
        Terminal.done("a log without secrets", "Authorization: <redacted>")
    }
}
