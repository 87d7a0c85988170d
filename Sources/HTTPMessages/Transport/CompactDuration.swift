// SPDX-License-Identifier: MIT

/// A duration that may be absent, in whole nanoseconds from 0 to a hundred years; what lies outside becomes the nearest of them.
package struct CompactDuration: Sendable, Hashable {
    private static let longestSeconds: Int64 = 3_153_600_000
    /// Less than 0 if there is no duration.
    private let value: Int64

    /// No duration.
    package static let none = CompactDuration(nanoseconds: -1)

    private init(nanoseconds: Int64) { value = nanoseconds }

    /// The same duration; `nil` is none.
    package init(_ duration: Duration?) {
        guard let (seconds, attoseconds) = duration?.components else {
            self = .none
            return
        }
        guard seconds >= 0, attoseconds >= 0 else {
            self.init(nanoseconds: 0)
            return
        }
        self.init(nanoseconds: min(seconds, Self.longestSeconds) * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// So many microseconds.
    package init(microseconds: Int64) {
        self.init(nanoseconds: max(0, min(microseconds, Self.longestSeconds * 1_000_000)) * 1000)
    }

    /// As the standard library has it.
    package var duration: Duration? { value < 0 ? nil : .nanoseconds(value) }
    /// The number of nanoseconds; `nil` if there is no duration.
    package var nanoseconds: UInt64? { value < 0 ? nil : UInt64(value) }
}
