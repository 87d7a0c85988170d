// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The plugins of a provider, each call in their order. Methods are generic over the target: putting it in an existential allocates, and is
/// left to the call of a plugin.
struct PluginChain: @unchecked Sendable {  // plugins protect their own state, as PluginType asks
    let plugins: [any PluginType]
    /// Whether one of them is an ``AsyncPluginType``.
    let isAsynchronous: Bool

    init(_ plugins: [any PluginType]) {
        self.plugins = plugins
        isAsynchronous = plugins.contains { $0 is any AsyncPluginType }
    }

    func prepare(_ request: URLRequest, target: some TargetType) -> URLRequest {
        plugins.reduce(request) { $1.prepare($0, target: target) }
    }

    func willSend(_ request: any RequestType, target: some TargetType) {
        for plugin in plugins { plugin.willSend(request, target: target) }
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: some TargetType) {
        for plugin in plugins { plugin.didReceive(result, target: target) }
    }

    func process(_ result: Result<Response, MoyaError>, target: some TargetType) -> Result<Response, MoyaError> {
        plugins.reduce(result) { $1.process($0, target: target) }
    }
}

extension PluginChain {
    /// Has the plugins prepare a request and hands it on: at once, on this thread, unless one of them is asynchronous.
    func prepare(
        _ request: URLRequest, target: some TargetType, in work: PluginWork?,
        then completion: @escaping (Result<URLRequest, any Error>) -> Void
    ) {
        guard isAsynchronous, let work else { return completion(.success(prepare(request, target: target))) }
        let carried = Carried((target: target as any TargetType, completion: completion))
        work.run {
            do {
                carried.value.completion(.success(try await preparing(request, target: carried.value.target)))
            } catch {
                carried.value.completion(.failure(error))
            }
        }
    }

    /// Has the plugins process a result and hands it on: at once, on this thread, unless one of them is asynchronous.
    func process(
        _ result: Result<Response, MoyaError>, target: some TargetType, on delivery: Delivery,
        then completion: @escaping (Result<Response, MoyaError>) -> Void
    ) {
        guard isAsynchronous else { return completion(process(result, target: target)) }
        let carried = Carried((target: target as any TargetType, completion: completion))
        _Concurrency.Task {
            let processed = await processing(result, target: carried.value.target)
            delivery.perform { carried.value.completion(processed) }
        }
    }

    private func preparing(_ request: URLRequest, target: any TargetType) async throws -> URLRequest {
        var request = request
        for plugin in plugins {
            if let plugin = plugin as? any AsyncPluginType {
                request = try await plugin.preparing(request, target: target)
            } else {
                request = plugin.prepare(request, target: target)
            }
        }
        return request
    }

    private func processing(_ result: Result<Response, MoyaError>, target: any TargetType) async -> Result<Response, MoyaError> {
        var result = result
        for plugin in plugins {
            if let plugin = plugin as? any AsyncPluginType {
                result = await plugin.processing(result, target: target)
            } else {
                result = plugin.process(result, target: target)
            }
        }
        return result
    }
}
