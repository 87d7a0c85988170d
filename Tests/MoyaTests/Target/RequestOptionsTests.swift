// SPDX-License-Identifier: MIT

import Moya
import Testing

@Suite struct RequestOptionsTests {
    private struct Slow: TargetType, RequestOptionsProviding {
        var baseURL: URL { URL(string: "https://slow.example")! }
        var path: String { "/" }
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
        var timeoutInterval: TimeInterval? { 300 }
        var cachePolicy: URLRequest.CachePolicy? { .reloadIgnoringLocalCacheData }
    }

    private struct Usual: TargetType, RequestOptionsProviding {
        var baseURL: URL { URL(string: "https://usual.example")! }
        var path: String { "/" }
        var method: Moya.Method { .get }
        var task: Task { .requestPlain }
        var headers: [String: String]? { nil }
    }

    private func sentRequest<Target: TargetType>(of target: Target) async throws -> URLRequest {
        let provider = MoyaProvider<Target>(stubClosure: { _ in .immediate })
        return try #require(try await provider.request(target).request)
    }

    @Test func `a target's time-out and cache policy are its request's`() async throws {
        let request = try await sentRequest(of: Slow())

        #expect(request.timeoutInterval == 300)
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
    }

    @Test func `an embedded target's options count, however deep it is embedded`() async throws {
        let request = try await sentRequest(of: MultiTarget(MultiTarget(Slow())))

        #expect(request.timeoutInterval == 300)
    }

    @Test func `the defaults leave the request alone`() async throws {
        let plain = URLRequest(url: URL(string: "https://usual.example")!)

        for request in [
            try await sentRequest(of: Usual()), try await sentRequest(of: Zoo.zen), try await sentRequest(of: MultiTarget(Usual())),
        ] {
            #expect(request.timeoutInterval == plain.timeoutInterval)
            #expect(request.cachePolicy == plain.cachePolicy)
        }
    }

    @Test func `the options win over what the request closure sets`() async throws {
        let provider = MoyaProvider<Slow>(
            requestClosure: { endpoint, done in
                do {
                    var request = try endpoint.urlRequest()
                    request.timeoutInterval = 1
                    done(.success(request))
                } catch {
                    done(.failure(.underlying(error, nil)))
                }
            }, stubClosure: MoyaProvider.immediatelyStub)

        #expect(try await provider.request(Slow()).request?.timeoutInterval == 300)
    }
}
