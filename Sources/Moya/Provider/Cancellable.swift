// SPDX-License-Identifier: MIT

/// Something under way that can be called off.
public protocol Cancellable {
    /// Whether ``cancel()`` was called; true from the moment it returns.
    var isCancelled: Bool { get }

    /// Calls it off. May be called from any thread and any number of times; what has ended already is not touched.
    func cancel()
}
