// SPDX-License-Identifier: MIT

import Moya
import Testing

// Every public name with its signature. A name that is missing or has another type does not compile; the conformances and overrides
// below are what users write themselves.

private typealias Provider = MoyaProvider<Zoo>

private final class MinimalRequest: RequestType {
    var request: URLRequest? { nil }
    var sessionHeaders: [String: String] { [:] }
    func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Self { self }
    func authenticate(with credential: URLCredential) -> Self { self }
    func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self { self }
}

private struct MinimalPlugin: PluginType {}

private final class MinimalProvider: MoyaProviderType {
    typealias Target = Zoo
    func request(
        _ target: Zoo, callbackQueue: DispatchQueue?, progress: Moya.ProgressBlock?, completion: @escaping Moya.Completion
    ) -> any Cancellable { CancellableToken {} }
}

private final class Overriding: MoyaProvider<Zoo>, @unchecked Sendable {  // adds no state
    override init(
        endpointClosure: @escaping EndpointClosure, requestClosure: @escaping RequestClosure, stubClosure: @escaping StubClosure,
        callbackQueue: DispatchQueue?, session: Session, plugins: [any PluginType], trackInflights: Bool
    ) {
        super.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure, stubClosure: stubClosure, callbackQueue: callbackQueue,
            session: session, plugins: plugins, trackInflights: trackInflights)
    }
    override var inflightRequests: [Endpoint: [Moya.Completion]] { super.inflightRequests }
    override func endpoint(_ token: Zoo) -> Endpoint { super.endpoint(token) }
    override func request(
        _ target: Zoo, callbackQueue: DispatchQueue?, progress: ProgressBlock?, completion: @escaping Completion
    ) -> any Cancellable { super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion) }
    override func stubRequest(
        _ target: Zoo, request: URLRequest, callbackQueue: DispatchQueue?, completion: @escaping Moya.Completion, endpoint: Endpoint,
        stubBehavior: Moya.StubBehavior
    ) -> CancellableToken {
        super.stubRequest(
            target, request: request, callbackQueue: callbackQueue, completion: completion, endpoint: endpoint, stubBehavior: stubBehavior)
    }
}

private final class OverridingEndpoint: Endpoint {
    override func adding(newHTTPHeaderFields: [String: String]) -> Endpoint { super.adding(newHTTPHeaderFields: newHTTPHeaderFields) }
    override func replacing(task: Task) -> Endpoint { super.replacing(task: task) }
}

@Suite struct PublicInterfaceTests {
    private func target(_ target: some TargetType) {
        let _: URL = target.baseURL
        let _: String = target.path
        let _: Moya.Method = target.method
        let _: Data = target.sampleData
        let _: Moya.Task = target.task
        let _: ValidationType = target.validationType
        let _: [String: String]? = target.headers
        let _: URL = URL(target: target)
    }

    private func tasks(
        _ data: Data, _ encodable: any Encodable, _ parameters: [String: Any], _ encoding: any ParameterEncoding, _ form: MultipartFormData,
        _ destination: @escaping DownloadDestination
    ) -> [Task] {
        [
            .requestPlain, .requestData(data), .requestJSONEncodable(encodable),
            .requestCustomJSONEncodable(encodable, encoder: JSONEncoder()),
            .requestParameters(parameters: parameters, encoding: encoding),
            .requestCompositeData(bodyData: data, urlParameters: parameters),
            .requestCompositeParameters(bodyParameters: parameters, bodyEncoding: encoding, urlParameters: parameters),
            .uploadFile(URL(fileURLWithPath: "/")), .uploadMultipartFormData(form),
            .uploadCompositeMultipartFormData(form, urlParameters: parameters), .downloadDestination(destination),
            .downloadParameters(parameters: parameters, encoding: encoding, destination: destination),
        ]
    }

    private func forms() {
        let providers: [MultipartFormData.FormDataProvider] = [
            .data(Data()), .file(URL(fileURLWithPath: "/")), .stream(InputStream(data: Data()), 0 as UInt64),
        ]
        let parts = providers.map { MultipartFormBodyPart(provider: $0, name: "n", fileName: "f", mimeType: "m") }
        let form = MultipartFormData(fileManager: .default, boundary: "b", parts: parts)
        let _: (FileManager, String?, [MultipartFormBodyPart]) = (form.fileManager, form.boundary, form.parts)
        let _: (MultipartFormData.FormDataProvider, String, String?, String?)? = parts.first.map {
            ($0.provider, $0.name, $0.fileName, $0.mimeType)
        }
        let _: MultipartFormData = [parts[0]]
        let _: Set<MultipartFormData> = [form]
        let _: Set<MultipartFormBodyPart> = Set(parts)
    }

    private func endpoint(_ endpoint: Endpoint, _ sample: @escaping Endpoint.SampleResponseClosure, _ head: HTTPURLResponse) throws {
        let _: () -> EndpointSampleResponse = endpoint.sampleResponseClosure
        let _: (String, Moya.Method, Task, [String: String]?) = (endpoint.url, endpoint.method, endpoint.task, endpoint.httpHeaderFields)
        let _: URLRequest = try endpoint.urlRequest()
        let _: Set<Endpoint> = [
            Endpoint(url: "", sampleResponseClosure: sample, method: .get, task: .requestPlain, httpHeaderFields: nil),
            endpoint.adding(newHTTPHeaderFields: [:]), endpoint.replacing(task: .requestPlain),
        ]
        let _: [EndpointSampleResponse] = [
            .networkResponse(200, Data()), .response(head, Data()), .networkError(NSError(domain: "", code: 0)),
        ]
    }

    private func provider(
        _ provider: Provider, _ request: URLRequest, _ endpoint: Endpoint, _ token: CancellableToken,
        _ completion: @escaping Moya.Completion
    ) {
        let _: (Zoo) -> Endpoint = provider.endpointClosure
        let _: (Endpoint, @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void) -> Void = provider.requestClosure
        let _: (Zoo) -> Moya.StubBehavior = provider.stubClosure
        let _: (Session, [any PluginType], Bool) = (provider.session, provider.plugins, provider.trackInflights)
        let _: [Endpoint: [Moya.Completion]] = provider.inflightRequests
        let _: any Cancellable = provider.requestNormal(.zen, callbackQueue: nil, progress: nil, completion: completion)
        provider.cancelCompletion(completion, target: .zen)
        let _: () -> Void = provider.createStubFunction(
            token, forTarget: .zen, withCompletion: completion, endpoint: endpoint, plugins: [], request: request)
        let _: URLRequest = provider.notifyPluginsOfImpendingStub(for: request, target: .zen)
        let _: Endpoint = Provider.defaultEndpointMapping(for: .zen)
        Provider.defaultRequestMapping(for: endpoint) { _ in }
        let _: Session = Provider.defaultAlamofireSession()
        let _: [Moya.StubBehavior] = [
            Provider.neverStub(.zen), Provider.immediatelyStub(.zen), Provider.delayedStub(1)(.zen), .never, .immediate,
            .delayed(seconds: 1),
        ]
        let _: Provider.EndpointClosure = { provider.endpoint($0) }
        let _: Provider.StubClosure = MoyaProvider.immediatelyStub
        let _: Provider.RequestClosure = MoyaProvider<Zoo>.defaultRequestMapping
    }

    private func plugins(_ request: URLRequest, _ type: any RequestType, _ result: Result<Moya.Response, MoyaError>) {
        let plugin: any PluginType = MinimalPlugin()
        let _: URLRequest = plugin.prepare(request, target: Zoo.zen)
        plugin.willSend(type, target: Zoo.zen)
        plugin.didReceive(result, target: Zoo.zen)
        let _: Result<Moya.Response, MoyaError> = plugin.process(result, target: Zoo.zen)

        let tokenClosure: AccessTokenPlugin.TokenClosure = { (_: any TargetType) -> String in "" }
        let _: AccessTokenPlugin.TokenClosure = AccessTokenPlugin(tokenClosure: tokenClosure).tokenClosure
        let credentialsClosure: CredentialsPlugin.CredentialClosure = { (_: any TargetType) -> URLCredential? in nil }
        let activityClosure: NetworkActivityPlugin.NetworkActivityClosure = { (_: NetworkActivityChangeType, _: any TargetType) in }
        let _: [any PluginType] = [
            CredentialsPlugin(credentialsClosure: credentialsClosure), NetworkActivityPlugin(networkActivityClosure: activityClosure),
            NetworkLoggerPlugin(configuration: .init()), NetworkLoggerPlugin.default, NetworkLoggerPlugin.verbose,
        ]
        let _: [NetworkActivityChangeType] = [.began, .ended]
        let _: [AuthorizationType] = [.basic, .bearer, .custom("")]
        let _: String = AuthorizationType.basic.value
    }

    private func logger(_ formatter: NetworkLoggerPlugin.Configuration.Formatter) {
        typealias Configuration = NetworkLoggerPlugin.Configuration
        let output: Configuration.OutputType = { (_: any TargetType, _: [String]) in }
        var configuration = Configuration(formatter: formatter, output: output, logOptions: .default)
        configuration.output = Configuration.defaultOutput
        configuration.formatter.entry = Configuration.Formatter.defaultEntryFormatter
        configuration.formatter.requestData = Configuration.Formatter.defaultDataFormatter
        configuration.formatter.responseData = { (_: Data) -> String in "" }
        configuration.logOptions = [
            .requestMethod, .requestBody, .requestHeaders, .formatRequestAscURL, .successResponseBody, .errorResponseBody,
        ]
        let _: Int = Configuration.LogOptions(rawValue: 0).rawValue
        let _: Configuration.Formatter = Configuration.Formatter(
            entry: { (_: String, _: String, _: any TargetType) -> String in "" }, requestData: { _ in "" }, responseData: { _ in "" })
    }

    private func response(_ response: Moya.Response) throws {
        let _: (Int, Data, URLRequest?, HTTPURLResponse?) = (response.statusCode, response.data, response.request, response.response)
        let _: (String, String) = (response.description, response.debugDescription)
        let _: Moya.Response = Response(statusCode: 0, data: Data(), request: nil, response: nil)
        let _: Moya.Response = try response.filter(statusCodes: 0...1).filter(statusCode: 0).filterSuccessfulStatusCodes()
        let _: Moya.Response = try response.filterSuccessfulStatusAndRedirectCodes()
        let _: Moya.Image = try response.mapImage()
        let _: Moya.ImageType = try response.mapImage()
        let _: Any = try response.mapJSON(failsOnEmptyData: true)
        let _: String = try response.mapString(atKeyPath: "a")
        let _: Int = try response.map(Int.self, atKeyPath: "a", using: JSONDecoder(), failsOnEmptyData: true)

        let progress = ProgressResponse(progress: nil, response: nil)
        let _: (Moya.Response?, Progress?, Double, Bool) = (
            progress.response, progress.progressObject, progress.progress, progress.completed
        )
        let _: Result<Moya.Response, MoyaError> = convertResponseToResult(nil, request: nil, data: nil, error: nil)
        let _: [ValidationType] = [.none, .successCodes, .successAndRedirectCodes, .customCodes([])]
    }

    private func error(_ error: MoyaError) {
        switch error {
        case .imageMapping(let response), .jsonMapping(let response), .stringMapping(let response), .statusCode(let response):
            let _: Moya.Response = response
        case .objectMapping(let inner, let response):
            let _: (any Swift.Error, Moya.Response) = (inner, response)
        case .encodableMapping(let inner), .parameterEncoding(let inner):
            let _: any Swift.Error = inner
        case .underlying(let inner, let response):
            let _: (any Swift.Error, Moya.Response?) = (inner, response)
        case .requestMapping(let url):
            let _: String = url
        }
        let _: (String?, [String: Any], Moya.Response?) = (error.errorDescription, error.errorUserInfo, error.response)
        let _: any CustomNSError & LocalizedError = error
    }

    private func others(_ target: MultiTarget, _ request: Request, _ cancellable: any Cancellable) {
        let _: any TargetType = target.target
        let _: MultiTarget = .target(MultiTarget(Zoo.zen))
        let _: AuthorizationType? = target.authorizationType
        let _: any RequestType = request
        let _: [String: String] = request.sessionHeaders
        let _: Bool = cancellable.isCancelled
        cancellable.cancel()
        let _: any CustomDebugStringConvertible & Cancellable = CancellableToken(action: {})
        let _: Bool = Moya.Method.post.supportsMultipart
        let _: (any ParameterEncoding, any ParameterEncoding) = (Moya.URLEncoding.default, Moya.JSONEncoding.default)
        let _: RequestMultipartFormData = RequestMultipartFormData()
        let _: (any RequestInterceptor)? = nil
        let _: Moya.Task = HTTPTask.requestPlain
    }

    private func sendable<T: Sendable>(_: T.Type) {}

    @Test func `values that cross threads are sendable`() {
        sendable(Moya.Response.self)
        sendable(MoyaError.self)
        sendable(ProgressResponse.self)
        sendable(AuthorizationType.self)
        sendable(ValidationType.self)
        sendable(Moya.StubBehavior.self)
        sendable(CancellableToken.self)
        sendable(MoyaProvider<Zoo>.self)
    }

    @Test func `a provider has its defaults`() {
        let session = MoyaProvider<Zoo>.defaultAlamofireSession()
        let provider = MoyaProvider<Zoo>()

        #expect(!provider.session.startRequestsImmediately)
        #expect(!provider.trackInflights)
        #expect(provider.plugins.isEmpty)
        #expect(MoyaProvider<Zoo>(session: session).session === session)
        #expect(MoyaProvider<Zoo>().session !== provider.session)
        guard case .never = provider.stubClosure(.zen) else { return #expect(Bool(false), "the default stubs") }
        guard case .networkResponse(200, let data) = provider.endpoint(.zen).sampleResponseClosure() else {
            return #expect(Bool(false), "the default sample is no 200")
        }
        #expect(data == Zoo.zen.sampleData)
    }
}
