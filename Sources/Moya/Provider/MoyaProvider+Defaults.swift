// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MoyaProvider {
    /// The endpoint at the target's URL (`URL(target:)`) with the target's method, task and headers; its sample is the status 200 with the
    /// target's sample data.
    public final class func defaultEndpointMapping(for target: Target) -> Endpoint {
        Endpoint(
            url: TargetURL.text(of: target),
            sampleResponseClosure: { .networkResponse(200, target.sampleData) },
            method: target.method,
            task: target.task,
            httpHeaderFields: target.headers)
    }

    /// Hands over the endpoint's request, or why there is none, before it returns.
    public final class func defaultRequestMapping(for endpoint: Endpoint, closure: RequestResultClosure) {
        do {
            closure(.success(try endpoint.urlRequest()))
        } catch let error as MoyaError {
            closure(.failure(error))
        } catch {
            closure(.failure(.underlying(error, nil)))
        }
    }

    /// A new session with the default configuration and fields that starts no request by itself.
    public final class func defaultAlamofireSession() -> Session {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        return Session(configuration: configuration, startRequestsImmediately: false)
    }
}

extension MoyaProvider {
    /// Sends every request.
    public final class func neverStub(_: Target) -> Moya.StubBehavior { .never }

    /// Answers every request by a stub, at once.
    public final class func immediatelyStub(_: Target) -> Moya.StubBehavior { .immediate }

    /// Answers every request by a stub, after this many seconds.
    public final class func delayedStub(_ seconds: TimeInterval) -> (Target) -> Moya.StubBehavior {
        { _ in .delayed(seconds: seconds) }
    }
}
