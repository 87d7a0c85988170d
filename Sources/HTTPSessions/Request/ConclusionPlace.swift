// SPDX-License-Identifier: MIT

/// Does what follows when an attempt has ended: validation, the retrier's question, the request's conclusion.
package protocol ConclusionPlace: AnyObject, Sendable {
    /// Does `work`, once, on a thread of its own choice.
    func perform(_ work: @escaping @Sendable () -> Void)
}
