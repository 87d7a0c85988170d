// SPDX-License-Identifier: MIT

import HTTPMessages
import Moya

/// A request closure that answers when the test says so.
final class HeldRequests: Sendable {
    private let held = Locked<[@Sendable () -> Void]>([])

    var closure: (Endpoint, @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void) -> Void {
        { endpoint, done in
            let request = (try? endpoint.urlRequest()).map(Result<URLRequest, MoyaError>.success) ?? .failure(.requestMapping(endpoint.url))
            self.held.withLock { $0.append { done(request) } }
        }
    }

    var count: Int { held.withLock { $0.count } }

    func answerAll() {
        let answers = held.withLock { held in
            defer { held = [] }
            return held
        }
        for answer in answers { answer() }
    }
}

/// Answers its stubbed requests once they have been cancelled: a cancelling that comes while `request` is still under way is never overtaken.
final class AnsweredWhenCancelled: MoyaProvider<Zoo>, @unchecked Sendable {  // adds no state that changes
    let held: HeldRequests

    init() {
        held = HeldRequests()
        super.init(requestClosure: held.closure, stubClosure: MoyaProvider.immediatelyStub)
    }

    override func request(
        _ target: Zoo, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
    ) -> any Cancellable {
        let request = super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion)
        return CancellableToken { [held] in
            request.cancel()
            held.answerAll()
        }
    }
}
