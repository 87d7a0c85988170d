// SPDX-License-Identifier: MIT

import Foundation

/// The value of `Retry-After` (RFC 9110 section 10.2.3): how long the server asks to be left alone.
enum RetryAfter {
    /// Seconds from `now`, not negative; nil for a value that is neither a number of seconds nor a date.
    static func delay(_ value: String, now: Date) -> TimeInterval? {
        let value = value.trimmingCharacters(in: .whitespaces)
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return TimeInterval(value)
        }
        return HTTPDate.parse(value, now: now).map { Swift.max(0, $0.timeIntervalSince(now)) }
    }
}
