// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPTesting
import Moya
import Testing

private struct Login: TargetType, AccessTokenAuthorizable {
    var baseURL: URL
    var path = "/in"
    var task: Moya.Task = .requestPlain

    var method: Moya.Method { .post }
    var headers: [String: String]? { EverythingPrintedTests.fields }
    var validationType: ValidationType { .successCodes }
    var authorizationType: AuthorizationType? { .bearer }
}

extension EverythingPrintedTests {
    func lookAtProviders(_ looker: Looker) async throws {
        let server = try Self.server()
        let base = try #require(
            URL(string: "http://\(Looker.user):\(Looker.password.replacingOccurrences(of: "/", with: "%2F"))@127.0.0.1:\(server.port)"))
        let parameters: [String: Any] = ["password": Looker.password, "access_token": Looker.token]
        let log = Locked<[String]>([])
        let token = AccessTokenPlugin { _ in Looker.token }
        let credentials = CredentialsPlugin(for: Login.self) { _ in
            URLCredential(user: Looker.user, password: Looker.password, persistence: .none)
        }
        looker.look(at: token, "AccessTokenPlugin")
        looker.look(at: credentials, "CredentialsPlugin")

        let tasks: [Moya.Task] = [
            .requestParameters(parameters: parameters, encoding: URLEncoding.default),
            .requestParameters(parameters: parameters, encoding: URLEncoding.queryString),
            .requestCompositeData(bodyData: Data("no secret".utf8), urlParameters: parameters),
            .requestCompositeParameters(bodyParameters: parameters, bodyEncoding: JSONEncoding.default, urlParameters: parameters),
            .requestJSONEncodable(["password": Looker.password]),
            .uploadMultipartFormData([MultipartFormBodyPart(provider: .data(Data(Looker.password.utf8)), name: "password")]),
            .downloadParameters(parameters: parameters, encoding: URLEncoding.default) { source, _ in (source, []) },
        ]
        for options in [NetworkLoggerPlugin.Configuration.LogOptions.verbose, .formatRequestAscURL] {
            let logger = NetworkLoggerPlugin(
                configuration: .init(output: { _, lines in log.withLock { $0 += lines } }, logOptions: options))
            let provider = MoyaProvider<Login>(
                session: Session(configuration: URLSessionConfiguration.af.ephemeral, startRequestsImmediately: false),
                plugins: [logger, token, credentials])
            for task in tasks {
                let target = Login(baseURL: base, task: task)
                looker.look(at: task, "a Task")
                looker.look(at: MoyaProvider<Login>.defaultEndpointMapping(for: target), "an Endpoint")
                looker.look(at: MultiTarget(target).task, "a MultiTarget's Task")
                await look(at: provider, target, looker)
            }
            for path in Self.paths { await look(at: provider, Login(baseURL: base, path: path, task: tasks[1]), looker) }
            looker.look(at: provider, "MoyaProvider")
        }
        #expect(log.withLock { $0 }.contains { $0.contains("Request Body: access_token=<redacted>&password=<redacted>") })
        for line in log.withLock({ $0 }) { looker.look(in: line, "log", "Moya") }

        let broken = Endpoint(
            url: "http://user:\(Looker.password)@[?access_token=\(Looker.token)",
            sampleResponseClosure: { .networkResponse(200, Data()) }, method: .get, task: tasks[0], httpHeaderFields: Self.fields)
        looker.look(at: broken, "an Endpoint that is no URL")
        looker.look(at: try #require(throws: MoyaError.self) { try broken.urlRequest() }, "an Endpoint's error")
    }

    private nonisolated(nonsending) func look(at provider: MoyaProvider<Login>, _ target: Login, _ looker: Looker) async {
        do {
            let response = try await provider.request(target)
            looker.look(at: response, "a Response")
            looker.look(at: ProgressResponse(response: response), "a ProgressResponse")
            looker.look(at: #expect(throws: MoyaError.self) { try response.mapJSON() } as Any, "an error of mapping")
            looker.look(at: #expect(throws: MoyaError.self) { try response.filter(statusCode: 1) } as Any, "an error of filtering")
        } catch {
            looker.look(at: error, "an error of \(target.path)")
            looker.look(at: error.errorUserInfo, "an error's user info of \(target.path)")
            if let response = error.response { looker.look(at: response, "an error's response of \(target.path)") }
            if let underlying = error.underlyingError { looker.look(at: underlying, "an underlying error of \(target.path)") }
        }
    }
}
