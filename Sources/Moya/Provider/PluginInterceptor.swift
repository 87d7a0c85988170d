// SPDX-License-Identifier: MIT

import Foundation
import HTTPSessions

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs plugins where a request is adapted: behind the session's interceptor, once for every attempt.
final class PluginInterceptor: RequestInterceptor {
    private let plugins: PluginChain
    private let target: Carried<any TargetType>
    let live = LiveRequest()
    /// What to cancel with the request; nil if no plugin is asynchronous.
    let work: PluginWork?

    init(_ plugins: PluginChain, target: any TargetType) {
        self.plugins = plugins
        self.target = Carried(target)
        work = plugins.isAsynchronous ? PluginWork() : nil
    }

    func adapt(_ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) {
        plugins.prepare(urlRequest, target: target.value, in: work) { [self] result in
            if case .success(let prepared) = result {
                plugins.willSend(SentRequest(prepared, live: live, session: session), target: target.value)
            }
            completion(result)
        }
    }
}
