// SPDX-License-Identifier: MIT

import HTTPSessions
import Moya
import Synchronization

/// Adds a bearer token to requests, and gets a new one when a request is refused; requests that come meanwhile wait for it.
final class TokenRefresher: RequestInterceptor {
    private struct State: Sendable {
        var token: String?
        var waiting: [@Sendable (Result<String, any Error>) -> Void] = []
        var refreshCount = 0
    }

    private struct Grant: Decodable, Sendable {
        let accessToken: String
        enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
    }

    private let tokenURL: URL
    private let plainSession = Session()
    private let state = Mutex(State())

    init(tokenURL: URL) { self.tokenURL = tokenURL }

    var refreshCount: Int { state.withLock { $0.refreshCount } }

    func adapt(_ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) {
        withToken { result in
            completion(
                result.map { token in
                    var request = urlRequest
                    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
                    return request
                })
        }
    }

    func retry(_ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void) {
        guard request.retryCount < 2, request.response?.statusCode == 401 else { return completion(.doNotRetry) }
        let used = request.lastRequest?.value(forHTTPHeaderField: "Authorization")
        // Somebody else may have brought a new token since this request was sent.
        state.withLock { state in
            if let token = state.token, used == "Bearer \(token)" { state.token = nil }
        }
        completion(.retry)
    }

    /// The token that is there; else the one that is fetched for everybody who waits.
    private func withToken(_ use: @escaping @Sendable (Result<String, any Error>) -> Void) {
        let (token, fetches) = state.withLock { state -> (String?, Bool) in
            if let token = state.token { return (token, false) }
            state.waiting.append(use)
            guard state.waiting.count == 1 else { return (nil, false) }
            state.refreshCount += 1
            return (nil, true)
        }
        if let token { return use(.success(token)) }
        guard fetches else { return }
        plainSession.request(tokenURL, method: .post, parameters: ["grant_type": "client_credentials"])
            .validate()
            .responseDecodable(of: Grant.self, queue: .global()) { [self] response in
                let result = response.result.map(\.accessToken).mapError { $0 as any Error }
                let waiting = state.withLock { state in
                    state.token = try? result.get()
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for use in waiting { use(result) }
            }
    }
}
