// SPDX-License-Identifier: MIT

import Moya
import Testing

// Source as it is written for released versions of Moya, in Swift 5 mode.

enum GitHub {
    case zen
    case userProfile(String)
    case uploadGif(Data)
}

extension GitHub: TargetType {
    var baseURL: URL { return URL(string: "https://api.github.com")! }
    var path: String {
        switch self {
        case .zen:
            return "/zen"
        case .userProfile(let name):
            return "/users/\(name)"
        case .uploadGif:
            return "/gifs"
        }
    }
    var method: Moya.Method {
        switch self {
        case .uploadGif:
            return .post
        default:
            return .get
        }
    }
    var task: Task {
        switch self {
        case let .uploadGif(data):
            return .uploadMultipartFormData([
                MultipartFormBodyPart(provider: .data(data), name: "file", fileName: "gif.gif", mimeType: "image/gif")
            ])
        case .zen, .userProfile:
            return .requestPlain
        }
    }
    var sampleData: Data {
        return "Half measures are as bad as nothing at all.".data(using: .utf8)!
    }
    var headers: [String: String]? { return ["Content-type": "application/json"] }
}

final class HeaderPlugin: PluginType {
    var seen = [String]()

    func prepare(_ request: URLRequest, target: TargetType) -> URLRequest {
        var request = request
        request.addValue("1", forHTTPHeaderField: "X-Header")
        return request
    }

    func willSend(_ request: RequestType, target: TargetType) {
        seen.append(request.request?.url?.absoluteString ?? "")
    }

    func process(_ result: Result<Moya.Response, MoyaError>, target: TargetType) -> Result<Moya.Response, MoyaError> {
        return result
    }
}

// Swift asks subclasses to restate what a class promises; without it there is a warning, in Swift 5 mode too.
final class OnlineProvider<Target>: MoyaProvider<Target>, @unchecked Sendable where Target: Moya.TargetType {
    @discardableResult
    override func request(
        _ target: Target, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
    ) -> Cancellable {
        return super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
    }
}

/// Calls deprecated source without a warning.
protocol DeprecatedSource {
    static func task() -> Task
}

enum SinglePartForms: DeprecatedSource {
    @available(*, deprecated)
    static func task() -> Task {
        let first = MultipartFormData(provider: .data(Data("gif".utf8)), name: "a", fileName: "gif.gif", mimeType: "image/gif")
        return .uploadMultipart([first, MultipartFormData(provider: .data(Data()), name: "b")])
    }
}

@Suite struct ReleasedSourceTests {
    @Test func `a completion may change what it captured`() {
        let plugin = HeaderPlugin()
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub, plugins: [plugin])
        var message: String?
        var cancellable: Cancellable?

        cancellable = provider.request(.zen) { result in
            switch result {
            case let .success(response):
                message = try? response.filterSuccessfulStatusCodes().mapString()
            case let .failure(error):
                message = error.errorDescription
            }
        }

        #expect(message == "Half measures are as bad as nothing at all.")
        #expect(plugin.seen == ["https://api.github.com/zen"])
        #expect(cancellable?.isCancelled == false)
    }

    @Test func `closures stored without annotations make a provider`() {
        let endpointClosure = { (target: GitHub) -> Endpoint in
            let defaultEndpoint = MoyaProvider.defaultEndpointMapping(for: target)
            return defaultEndpoint.adding(newHTTPHeaderFields: ["APP_NAME": "MY_AWESOME_APP"])
        }
        let requestClosure = { (endpoint: Endpoint, done: MoyaProvider.RequestResultClosure) in
            do {
                var request = try endpoint.urlRequest()
                request.httpShouldHandleCookies = false
                done(.success(request))
            } catch {
                done(.failure(MoyaError.underlying(error, nil)))
            }
        }
        let provider = MoyaProvider<GitHub>(
            endpointClosure: endpointClosure, requestClosure: requestClosure, stubClosure: { _ in .immediate },
            plugins: [NetworkLoggerPlugin(configuration: .init(output: { _, _ in }, logOptions: .verbose))])
        var name: String?

        provider.request(.userProfile("ashfurrow")) { result in
            if case .success(let response) = result { name = response.request?.value(forHTTPHeaderField: "APP_NAME") }
        }

        #expect(name == "MY_AWESOME_APP")
    }

    @Test func `a subclass overrides request`() {
        let provider = OnlineProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        var statusCode = 0

        provider.request(MultiTarget(GitHub.zen)) { statusCode = (try? $0.get().statusCode) ?? 0 }

        #expect(statusCode == 200)
    }

    @Test func `a form of single parts is a form`() {
        let make: () -> Task = (SinglePartForms.self as DeprecatedSource.Type).task
        guard case .uploadMultipartFormData(let form) = make() else {
            Issue.record("the task is no form")
            return
        }
        #expect(form.parts.map(\.name) == ["a", "b"])
        #expect(form.parts.map(\.mimeType) == ["image/gif", nil])
    }

    @Test func `an error is switched over`() {
        let error = MoyaError.underlying(NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled), nil)
        switch error {
        case .underlying(let nsError as NSError, let response):
            #expect(nsError.code == NSURLErrorCancelled)
            #expect(response == nil)
        default:
            Issue.record("\(error)")
        }
    }
}
