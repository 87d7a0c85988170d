// SPDX-License-Identifier: MIT

/// Something that can be given up: an observation, a started producer, work that was scheduled.
public protocol Disposable: AnyObject, Sendable {
    /// Whether ``dispose()`` was called.
    var isDisposed: Bool { get }

    /// Gives it up. Only the first call has an effect, from whichever thread it comes.
    func dispose()
}
