// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions
import Moya

enum Shop: TargetType {
    case basket
    case pay

    var baseURL: URL { URL(string: "https://shop.example")! }
    var path: String { self == .basket ? "/basket" : "/pay" }
    var method: Moya.Method { self == .basket ? .get : .post }
    var task: Moya.Task { .requestPlain }
    var headers: [String: String]? { nil }
}

// snippet.endpoint
let endpointClosure = { (target: Shop) -> Endpoint in
    MoyaProvider.defaultEndpointMapping(for: target).adding(newHTTPHeaderFields: ["X-App": "shop"])
}
let shop = MoyaProvider<Shop>(endpointClosure: endpointClosure)
// snippet.end

// snippet.request
let requestClosure = { (endpoint: Endpoint, done: @escaping MoyaProvider<Shop>.RequestResultClosure) in
    do {
        var request = try endpoint.urlRequest()
        request.timeoutInterval = 10
        done(.success(request))
    } catch let error as MoyaError {
        done(.failure(error))
    } catch {
        done(.failure(.underlying(error, nil)))
    }
}
let hurriedShop = MoyaProvider<Shop>(requestClosure: requestClosure)
// snippet.end

// snippet.session
let configuration = URLSessionConfiguration.af.default
configuration.timeoutIntervalForRequest = 15
configuration.httpMaximumConnectionsPerHost = 2

let session = Session(
    configuration: configuration, startRequestsImmediately: false, interceptor: RetryPolicy(retryLimit: 3),
    redirectHandler: Redirector.doNotFollow)
let patientShop = MoyaProvider<Shop>(session: session)
// snippet.end

// snippet.trust
func pinnedShop(to certificate: Data) -> MoyaProvider<Shop> {
    #if os(Linux)
    let pins = [certificate]
    #else
    // Without a readable certificate every connection is refused.
    let pins = [SecCertificateCreateWithData(nil, certificate as CFData)].compactMap { $0 }
    #endif
    let evaluator = PinnedCertificatesTrustEvaluator(certificates: pins)
    let trust = ServerTrustManager(evaluators: ["shop.example": evaluator])
    return MoyaProvider<Shop>(session: Session(startRequestsImmediately: false, serverTrustManager: trust))
}
// snippet.end

// snippet.stub
let stubbedShop = MoyaProvider<Shop>(stubClosure: MoyaProvider.immediatelyStub)
let slowShop = MoyaProvider<Shop>(stubClosure: MoyaProvider.delayedStub(0.5))
let failingShop = MoyaProvider<Shop>(
    endpointClosure: { target in
        Endpoint(
            url: URL(target: target).absoluteString, sampleResponseClosure: { .networkResponse(503, Data()) }, method: target.method,
            task: target.task, httpHeaderFields: target.headers)
    }, stubClosure: MoyaProvider.immediatelyStub)
// snippet.end
