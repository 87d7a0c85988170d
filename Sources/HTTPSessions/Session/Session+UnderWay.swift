// SPDX-License-Identifier: MIT

import Foundation

// Requests under way: their session holds them until they are over.
extension Session {
    /// Lets an eager session make the request at once; it still waits to be resumed before it is sent.
    func prepared<R: Request>(_ request: R) -> R {
        if requestSetup == .eager { request.prepareEagerly() }
        return request
    }

    func register(_ request: Request) {
        active.withLock { request.sessionSlot = $0.insert(request) }
    }

    func forget(_ request: Request) {
        active.withLock { active in
            guard let slot = request.sessionSlot else { return }
            active.remove(slot)
            request.sessionSlot = nil
        }
    }

    /// How many requests are under way.
    package var activeCount: Int { active.withLock { $0.count } }

    /// Calls `action` with the requests that are resumed and not over, on ``rootQueue``.
    public func withAllRequests(perform action: @escaping @Sendable (Set<Request>) -> Void) {
        rootQueue.async {
            action(Set(self.active.withLock { $0.all }))
        }
    }

    /// Cancels the requests that are under way, then calls `completion` on `queue`. Requests may still be ending then.
    public func cancelAllRequests(completingOnQueue queue: DispatchQueue = .main, completion: (@Sendable () -> Void)? = nil) {
        withAllRequests { requests in
            for request in requests { request.cancel() }
            if let completion { queue.async(execute: completion) }
        }
    }
}
