// SPDX-License-Identifier: MIT

/// Who wants to know when a request is over. An object and not a closure, which would be one more allocation for every request.
package protocol RequestObserver: AnyObject, Sendable {
    /// The request is over; called once, on the thread that concludes it.
    func requestIsOver(_ request: Request)
}

/// Where it is seen to what follows when an attempt has ended, up to the retry or the observers.
package protocol ConclusionPlace: AnyObject, Sendable {
    /// Does `work`, once, on a thread of its own choice.
    func perform(_ work: @escaping @Sendable () -> Void)
}
