// SPDX-License-Identifier: MIT

/// Who wants to know when a request is over. An object and not a closure, which would be one more allocation for every request.
package protocol RequestObserver: AnyObject, Sendable {
    /// The request is over, every retry included. Called once: on the thread that concludes it, or at once if it was over already.
    func requestIsOver(_ request: Request)
}
