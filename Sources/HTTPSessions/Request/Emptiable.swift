// SPDX-License-Identifier: MIT

/// A list of what callers gave: all of it is taken out under a lock, and let go of after it.
protocol Emptiable {
    init()
}

extension Emptiable {
    /// Takes out all there is.
    mutating func takeAll() -> Self {
        defer { self = Self() }
        return self
    }
}

extension Array: Emptiable {}
extension ShortList: Emptiable {}
extension ResponseValidators: Emptiable {}
