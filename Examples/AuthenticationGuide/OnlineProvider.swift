// SPDX-License-Identifier: MIT

import Moya

// snippet.subclass
/// Has a good token before each request is made; those who use it need not know.
final class OnlineProvider<Target: TargetType>: MoyaProvider<Target>, @unchecked Sendable {  // the log-in has its lock
    private let login: Login

    init(login: Login) {
        self.login = login
        super.init(plugins: [AccessTokenPlugin { _ in login.token }])
    }

    @discardableResult
    override func request(
        _ target: Target, callbackQueue: DispatchQueue? = .none, progress: ProgressBlock? = .none, completion: @escaping Completion
    ) -> any Cancellable {
        let pending = PendingRequest()
        login.whenGood { error in
            guard let error else {
                return pending.begin { super.request(target, callbackQueue: callbackQueue, progress: progress, completion: completion) }
            }
            nonisolated(unsafe) let completion = completion
            (callbackQueue ?? .main).async { completion(.failure(error)) }
        }
        return pending
    }
}

/// A request that is made later, and may be cancelled before that.
final class PendingRequest: Cancellable, @unchecked Sendable {  // what changes is under the lock
    private let lock = NSLock()
    private var request: (any Cancellable)?
    private var cancelled = false

    var isCancelled: Bool { lock.withLock { cancelled } }

    func begin(_ make: () -> any Cancellable) {
        let made = make()
        let isLate = lock.withLock {
            request = made
            return cancelled
        }
        if isLate { made.cancel() }
    }

    func cancel() {
        let made = lock.withLock {
            cancelled = true
            return request
        }
        made?.cancel()
    }
}
// snippet.end
