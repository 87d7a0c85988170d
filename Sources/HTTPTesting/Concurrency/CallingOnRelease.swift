// SPDX-License-Identifier: MIT

/// Calls a closure when it is let go of, as a model's `deinit` does that ends what it has begun.
package final class CallingOnRelease: Sendable {
    private let onRelease: @Sendable () -> Void

    package init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

    deinit { onRelease() }
}
