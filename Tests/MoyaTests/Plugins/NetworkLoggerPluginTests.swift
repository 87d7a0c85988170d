// SPDX-License-Identifier: MIT

import HTTPMessages
import HTTPSessions
import Moya
import Testing

@Suite struct NetworkLoggerPluginTests {
    private typealias Configuration = NetworkLoggerPlugin.Configuration
    private typealias Options = NetworkLoggerPlugin.Configuration.LogOptions

    private final class Log: Sendable {
        private let events = Locked<[[String]]>([])
        var all: [[String]] { events.withLock { $0 } }
        func add(_ items: [String]) { events.withLock { $0.append(items) } }
    }

    private let log = Log()

    private func logger(_ options: Options) -> NetworkLoggerPlugin {
        let formatter = Configuration.Formatter(
            entry: { identifier, message, _ in "\(identifier)|\(message)" },
            requestData: { "request:" + String(decoding: $0, as: UTF8.self) },
            responseData: { "response:" + String(decoding: $0, as: UTF8.self) })
        return NetworkLoggerPlugin(
            configuration: Configuration(formatter: formatter, output: { [log] _, items in log.add(items) }, logOptions: options))
    }

    private func request(_ url: String = "https://zoo.example/zen", _ fields: [String: String] = [:]) -> URLRequest {
        var request = URLRequest(url: URL(string: url)!)
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = fields
        return request
    }

    // MARK: Requests

    @Test func `a request is logged in one event, in order`() {
        var request = request("https://zoo.example/zen", ["B": "2", "accept": "own"])
        request.httpBody = Data("x".utf8)

        logger(.verbose).willSend(FakeRequest(request, sessionHeaders: ["A": "1", "Accept": "session"]), target: Zoo.zen)

        #expect(
            log.all == [
                [
                    "Request|https://zoo.example/zen",
                    "Request Headers|[\"A\": \"1\", \"B\": \"2\", \"accept\": \"own\"]",
                    "Request Body|request:x",
                    "HTTP Request Method|POST",
                ]
            ])
    }

    @Test func `the default options leave the content out`() {
        var request = request()
        request.httpBody = Data("x".utf8)

        logger(.default).willSend(FakeRequest(request), target: Zoo.zen)

        #expect(log.all.map { $0.map { $0.prefix { $0 != "|" } } } == [["Request", "Request Headers", "HTTP Request Method"]])
    }

    @Test func `a body stream is named`() {
        var request = request()
        request.httpBodyStream = InputStream(data: Data())

        logger(.requestBody).willSend(FakeRequest(request), target: Zoo.zen)

        #expect(log.all[0].map { $0.prefix { $0 != "|" } } == ["Request", "Request Body Stream"])
    }

    @Test func `a request without a request is invalid`() {
        logger(.verbose).willSend(FakeRequest(nil), target: Zoo.zen)

        #expect(log.all == [["Request|(invalid request)"]])
    }

    @Test func `a curl command stands alone`() {
        logger([.formatRequestAscURL, .requestBody, .requestMethod]).willSend(FakeRequest(request()), target: Zoo.zen)

        #expect(log.all == [["Request|$ curl of the fake"]])
    }

    // MARK: Responses

    @Test func `a response without a head names its target`() {
        logger(.default).didReceive(.success(Response(statusCode: 200, data: Data("x".utf8))), target: Zoo.zen)

        #expect(log.all == [["Response|Received empty network response for zen."]])
    }

    @Test func `contents are logged under their own options`() {
        let response = Response(statusCode: 200, data: Data("x".utf8))
        let failure = Result<Moya.Response, MoyaError>.failure(.statusCode(response))

        logger(.successResponseBody).didReceive(.success(response), target: Zoo.zen)
        logger(.successResponseBody).didReceive(failure, target: Zoo.zen)
        logger(.errorResponseBody).didReceive(.success(response), target: Zoo.zen)
        logger(.errorResponseBody).didReceive(failure, target: Zoo.zen)

        let empty = "Response|Received empty network response for zen."
        #expect(
            log.all == [
                [empty, "Response Body|response:x"],
                [empty],
                [empty],
                [empty, "Response Body|response:x"],
            ])
    }

    @Test func `an error without a response is the only entry`() {
        let error = AFError.explicitlyCancelled

        logger(.verbose).didReceive(.failure(.underlying(error, nil)), target: Zoo.zen)

        #expect(log.all == [["Error|Error calling zen : \(MoyaError.underlying(error, nil))"]])
    }

    @Test func `a head is printed as Apple's platforms do`() throws {
        let head = try #require(
            HTTPURLResponse(
                url: URL(string: "https://zoo.example/zen")!, statusCode: 200, httpVersion: nil, headerFields: ["B": "2", "A": "1"]))

        logger([]).didReceive(.success(Response(statusCode: 200, data: Data(), response: head)), target: Zoo.zen)

        let text = try #require(log.all.first?.first)
        #expect(text.hasPrefix("Response|{ URL: https://zoo.example/zen } { Status Code: 200, Headers {\n"))
        #expect(text.contains("\"A\" = (\n        \"1\"\n    );\n    \"B\" = ("))
    }

    // MARK: Secrets

    private static let secretFields = [
        "Authorization": "Bearer hunter2", "Proxy-Authorization": "hunter2", "Cookie": "hunter2", "X-Auth-Token": "hunter2",
        "X-API-Key": "hunter2",
    ]
    private static let secretURL =
        "https://user:hunter2@zoo.example/zen?access_token=hunter2&page=2&api_key=hunter2&sig=hunter2#token=hunter2"

    private func logEverything(_ options: Options) throws -> String {
        let logger = logger(options)
        logger.willSend(FakeRequest(request(Self.secretURL, Self.secretFields)), target: Zoo.zen)
        let head = try #require(
            HTTPURLResponse(
                url: URL(string: Self.secretURL)!, statusCode: 200, httpVersion: nil,
                headerFields: ["Set-Cookie": "hunter2", "X-Token": "hunter2"]))
        logger.didReceive(.success(Response(statusCode: 200, data: Data(), response: head)), target: Zoo.zen)
        return log.all.flatMap { $0 }.joined(separator: "\n")
    }

    @Test func `secrets are not logged`() throws {
        let text = try logEverything(.verbose)

        #expect(!text.contains("hunter2"), "\(text)")
        #expect(text.contains("zoo.example/zen?access_token=<redacted>&page=2&api_key=<redacted>"))
        #expect(text.contains("X-API-Key") || text.contains("X-Api-Key"))
    }

    @Test func `secrets are logged for who asks for them`() throws {
        let text = try logEverything([.verbose, .secrets])

        #expect(text.components(separatedBy: "hunter2").count > 10)
    }

    // MARK: Configuration

    @Test func `the options are bits in their order`() {
        let all: [Options] = [
            .requestMethod, .requestBody, .requestHeaders, .formatRequestAscURL, .successResponseBody, .errorResponseBody, .secrets,
        ]

        #expect(all.map(\.rawValue) == (0..<7).map { 1 << $0 })
        #expect(Options.default == [.requestMethod, .requestHeaders])
        #expect(Options.verbose == [.requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody])
        #expect(NetworkLoggerPlugin.default.configuration.logOptions == .default)
        #expect(NetworkLoggerPlugin.verbose.configuration.logOptions == .verbose)
        #expect(NetworkLoggerPlugin().configuration.logOptions == .default)
        #expect(NetworkLoggerPlugin.default !== NetworkLoggerPlugin.default)
    }

    @Test func `a change of the configuration counts from the next event on`() {
        let logger = logger([])

        logger.willSend(FakeRequest(request()), target: Zoo.zen)
        logger.configuration.logOptions = .requestMethod
        logger.willSend(FakeRequest(request()), target: Zoo.zen)

        #expect(log.all.map(\.count) == [1, 2])
    }

    @Test func `the default formats are dated entries and text`() {
        let entry = Configuration.Formatter.defaultEntryFormatter(identifier: "Id", message: "m", target: Zoo.zen)

        #expect(entry.hasPrefix("Moya_Logger: ["))
        #expect(entry.hasSuffix("] Id: m"))
        #expect(Configuration.Formatter.defaultDataFormatter(Data("ü".utf8)) == "ü")
        #expect(!Configuration.Formatter.defaultDataFormatter(Data([0xFF])).isEmpty)
    }

    @Test func `a stub's log has the session's fields and its curl command`() async throws {
        let provider = MoyaProvider<Zoo>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [logger(.requestHeaders)])

        _ = try await provider.request(.zen)

        let fields = try #require(log.all.first?.last)
        for name in ["User-Agent", "Accept-Encoding", "Accept-Language"] { #expect(fields.contains("\"\(name)\":")) }
    }
}
