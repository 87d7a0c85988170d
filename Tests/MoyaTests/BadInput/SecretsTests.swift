// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import HTTPTesting
import Moya
import Testing

/// Sends known secrets through everything that a provider's user may print, and looks for them there.
@Suite(.timeLimit(.minutes(1))) struct SecretsTests {
    private static let password = "p4ssw0rd-hunter2"
    private static let token = "t0ken-hunter2"
    private static let cookie = "c00kie-hunter2"
    private static let basic = Data("user:\(password)".utf8).base64EncodedString()

    private func expectNoSecret(in value: Any, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        var dumped = ""
        dump(value, to: &dumped, maxDepth: 15)
        let forms = ["print": "\(value)", "reflecting": String(reflecting: value), "dump": dumped]
        for (form, text) in forms {
            for secret in ["hunter2", Self.basic] where text.contains(secret) {
                let place = text.range(of: secret)!
                let start = text.index(place.lowerBound, offsetBy: -150, limitedBy: text.startIndex) ?? text.startIndex
                #expect(
                    Bool(false), "\(form) of \(what) shows a secret: …\(text[start..<place.upperBound])…", sourceLocation: sourceLocation)
            }
        }
    }

    private func expectNoSecret(in error: MoyaError, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        expectNoSecret(in: error as Any, what, sourceLocation: sourceLocation)
        expectNoSecret(in: error as any Error, what, sourceLocation: sourceLocation)
        expectNoSecret(in: error as NSError, "\(what), bridged", sourceLocation: sourceLocation)
        expectNoSecret(in: error.localizedDescription, "\(what), localized", sourceLocation: sourceLocation)
        expectNoSecret(in: error.errorUserInfo, "\(what), user info", sourceLocation: sourceLocation)
        if let response = error.response { expectNoSecret(in: response, "\(what), response", sourceLocation: sourceLocation) }
        if let inner = error.underlyingError { expectNoSecret(in: inner, "\(what), underlying", sourceLocation: sourceLocation) }
    }

    private func target(_ server: TestServer, _ path: String, scheme: String = "http", headers: [String: String] = [:]) throws -> AnyTarget
    {
        var target = AnyTarget()
        target.baseURL = try #require(URL(string: "\(scheme)://user:\(Self.password)@127.0.0.1:\(server.port)"))
        target.path = path
        target.task = .requestParameters(parameters: ["access_token": Self.token], encoding: URLEncoding.queryString)
        target.headers = ["Authorization": "Basic \(Self.basic)", "Cookie": "a=\(Self.cookie)"].merging(headers) { $1 }
        target.validationType = .successCodes
        return target
    }

    private func server() throws -> TestServer {
        try TestServer { request in
            let fields: FieldList = ["Set-Cookie": "session=\(Self.cookie)"]
            return switch request.path {
            case "/reset": .reset
            case "/cut": ScriptedResponse.ok("hello", fields: fields).declaringLength(50)
            case "/401": .status(401, fields: ["WWW-Authenticate": "Basic realm=\"r\"", "Set-Cookie": "session=\(Self.cookie)"], "no")
            case "/file": .redirect(to: "file:///x?access_token=\(Self.token)")
            case "/circle": .redirect(to: "/circle?access_token=\(Self.token)")
            case "/head": .raw("HTTP/1.1 200 OK\r\nSet-Cookie \(Self.cookie)\r\n\r\n")
            default: .ok("hello", fields: fields)
            }
        }
    }

    private func provider(_ log: Locked<[String]> = Locked([]), _ options: NetworkLoggerPlugin.Configuration.LogOptions = .verbose)
        -> MoyaProvider<AnyTarget>
    {
        let logger = NetworkLoggerPlugin(
            configuration: .init(output: { _, lines in log.withLock { $0 += lines } }, logOptions: options))
        return .alone(plugins: [
            logger, AccessTokenPlugin { _ in Self.token },
            CredentialsPlugin(for: AnyTarget.self) { _ in URLCredential(user: "user", password: Self.password, persistence: .none) },
        ])
    }

    @Test(arguments: ["/reset", "/cut", "/401", "/file", "/circle", "/head"])
    func `no failure shows what was sent or received`(path: String) async throws {
        let server = try server()
        let log = Locked<[String]>([])

        for task in [nil, Task.downloadDestination { source, _ in (source, []) }] {
            var target = try target(server, path)
            if let task { target.task = task }
            guard case .failure(let error) = await provider(log).result(of: target) else {
                #expect(Bool(false), "\(path) must fail")
                continue
            }
            expectNoSecret(in: error, path)
        }
        expectNoSecret(in: log.withLock { $0 }.joined(separator: "\n"), "the log of \(path)")
    }

    @Test func `no refusal shows what was to be sent`() async throws {
        let server = try server()
        let refused = try [
            target(server, "/", scheme: "ftp"), target(server, "/", headers: ["X-Key": "\(Self.token)\r\nX: y"]),
            target(server, "/", headers: ["X-Key: \(Self.token)": "y"]),
        ]

        for target in refused {
            guard case .failure(let error) = await provider().result(of: target) else {
                #expect(Bool(false), "must fail")
                continue
            }
            expectNoSecret(in: error, "\(target.baseURL.scheme ?? "")")
        }
    }

    @Test func `an endpoint and its errors show no credentials`() async throws {
        let server = try server()
        let target = try target(server, "/")
        let endpoint = MoyaProvider.defaultEndpointMapping(for: target)
        let bad = Endpoint(
            url: "http://user:\(Self.password)@[?access_token=\(Self.token)", sampleResponseClosure: { .networkResponse(200, Data()) },
            method: .get,
            task: .requestPlain, httpHeaderFields: target.headers)

        expectNoSecret(in: endpoint, "the endpoint")
        let error = try #require(throws: MoyaError.self) { try bad.urlRequest() }
        expectNoSecret(in: error, "a URL that cannot be read")
        expectNoSecret(in: MoyaError.parameterEncoding(error), "a nested error")
    }

    @Test func `a response and its errors show no credentials`() async throws {
        let server = try server()
        let response = try await provider().request(try target(server, "/"))

        expectNoSecret(in: response, "the response")
        let errors = [
            #expect(throws: MoyaError.self) { try response.mapJSON() }, #expect(throws: MoyaError.self) { try response.mapImage() },
            #expect(throws: MoyaError.self) { try response.map(Int.self) },
            #expect(throws: MoyaError.self) { try response.filter(statusCode: 1) },
        ]
        for error in errors { expectNoSecret(in: try #require(error), "an error of the response") }
        expectNoSecret(in: ProgressResponse(response: response), "a progress response")
    }

    @Test(arguments: [NetworkLoggerPlugin.Configuration.LogOptions.verbose, .formatRequestAscURL])
    func `no log line shows credentials`(options: NetworkLoggerPlugin.Configuration.LogOptions) async throws {
        let server = try server()
        let log = Locked<[String]>([])
        let provider = provider(log, options)

        _ = try await provider.request(try target(server, "/"))
        _ = try await provider.request(try target(server, "/"))

        let lines = log.withLock { $0 }
        #expect(!lines.isEmpty)
        expectNoSecret(in: lines.joined(separator: "\n"), "the log")
        expectNoSecret(in: provider, "the provider")
        expectNoSecret(in: provider.session, "the session")
    }
}
