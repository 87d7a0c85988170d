// SPDX-License-Identifier: MIT

import Moya

// snippet.composed
/// A provider and a log-in side by side: no subclass, so the provider may be any.
struct Networking<Target: TargetType> {
    private let login: Login
    private let provider: MoyaProvider<Target>

    init(login: Login, plugins: [any PluginType] = []) {
        self.login = login
        provider = MoyaProvider<Target>(plugins: plugins + [AccessTokenPlugin { _ in login.token }])
    }

    func request(_ target: Target) async throws(MoyaError) -> Response {
        let error = await withCheckedContinuation { continuation in
            login.whenGood { continuation.resume(returning: $0) }
        }
        if let error { throw error }
        return try await provider.request(target)
    }
}
// snippet.end
