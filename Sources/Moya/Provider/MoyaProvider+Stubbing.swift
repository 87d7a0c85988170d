// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension MoyaProvider {
    /// What ``stubRequest(_:request:callbackQueue:completion:endpoint:stubBehavior:)`` does unless overridden.
    func answerByStub(
        _ target: Target, request: URLRequest, callbackQueue: DispatchQueue?, completion: @escaping Moya.Completion,
        endpoint: Endpoint, stubBehavior: Moya.StubBehavior
    ) -> CancellableToken {
        let schedule = StubSchedule(stubBehavior, on: callbackQueue)
        guard let schedule else {
            let result = Result<Moya.Response, MoyaError>.failure(.underlying(MoyaMisuse.neverStubbed, nil))
            Delivery(on: callbackQueue, for: .never, keepsOrder: false).perform { [pluginChain] in
                pluginChain.didReceive(result, target: target)
                completion(result)
            }
            return CancellableToken {}
        }
        if pluginChain.isAsynchronous {
            return answerByStub(target, request: request, schedule: schedule, completion: completion, endpoint: endpoint)
        }
        let token = CancellableToken {}
        let prepared = notifyPluginsOfImpendingStub(for: request, target: target)
        schedule.run(
            createStubFunction(
                token, forTarget: target, withCompletion: completion, endpoint: endpoint, plugins: plugins, request: prepared))
        return token
    }

    /// The same with plugins that have to be awaited first.
    private func answerByStub(
        _ target: Target, request: URLRequest, schedule: StubSchedule, completion: @escaping Moya.Completion, endpoint: Endpoint
    ) -> CancellableToken {
        let work = PluginWork()
        let token = CancellableToken { work.cancel() }
        pluginChain.prepare(request, target: target, in: work) { [self] preparation in
            switch preparation {
            case .success(let prepared):
                pluginChain.willSend(StubbedRequest(prepared, session: session), target: target)
                schedule.run(
                    createStubFunction(
                        token, forTarget: target, withCompletion: completion, endpoint: endpoint, plugins: plugins, request: prepared))
            case .failure(let error):
                schedule.run { [self] in
                    guard !token.isCancelled else { return cancelCompletion(completion, target: target) }
                    let error = AFError.requestAdaptationFailed(error: error)
                    let result = Result<Moya.Response, MoyaError>.failure(.underlying(error, nil))
                    pluginChain.didReceive(result, target: target)
                    completion(result)
                }
            }
        }
        return token
    }

    /// What answers a stubbed request when it is called: from the endpoint's sample, or as cancelled if the token is.
    ///
    /// `plugins` get `didReceive`; then `completion` is called, on the same thread.
    public final func createStubFunction(
        _ token: CancellableToken, forTarget target: Target, withCompletion completion: @escaping Moya.Completion,
        endpoint: Endpoint, plugins: [any PluginType], request: URLRequest
    ) -> (() -> Void) {
        return { [self] in
            guard !token.isCancelled else { return cancelCompletion(completion, target: target) }
            let result = Self.sampleResult(of: endpoint, request: request, validation: target.validationType)
            for plugin in plugins { plugin.didReceive(result, target: target) }
            completion(result)
        }
    }

    /// Has the plugins prepare a request, tells them that it is about to be answered by a stub, and returns it as prepared.
    ///
    /// Asynchronous plugins are asked through `prepare`; only ``stubRequest(_:request:callbackQueue:completion:endpoint:stubBehavior:)``
    /// itself awaits them.
    public final func notifyPluginsOfImpendingStub(for request: URLRequest, target: Target) -> URLRequest {
        guard !plugins.isEmpty else { return request }
        let prepared = pluginChain.prepare(request, target: target)
        pluginChain.willSend(StubbedRequest(prepared, session: session), target: target)
        return prepared
    }

    private static func sampleResult(
        of endpoint: Endpoint, request: URLRequest, validation: ValidationType
    ) -> Result<Moya.Response, MoyaError> {
        let response: Moya.Response
        switch endpoint.sampleResponseClosure() {
        case .networkResponse(let statusCode, let data):
            response = Moya.Response(statusCode: statusCode, data: data, request: request, response: nil)
        case .response(let head, let data):
            response = Moya.Response(statusCode: head.statusCode, data: data, request: request, response: head)
        case .networkError(let error):
            return .failure(.underlying(error, nil))
        }
        guard validation.accepts(response.statusCode) else {
            return .failure(.underlying(MoyaError.statusCode(response), response))
        }
        return .success(response)
    }
}
