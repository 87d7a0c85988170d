// SPDX-License-Identifier: MIT

import Foundation

/// A date in a field value (RFC 9110 section 5.6.7): the preferred form and the two obsolete ones that a recipient must accept.
enum HTTPDate {
    /// The date; nil for anything else. `now` decides the century of a two-digit year.
    static func parse(_ text: String, now: Date) -> Date? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5] == "GMT" && isDay(words[0]):
            return date(year: words[3], month: words[2], day: words[1], time: words[4], now: now)
        // Sun Nov  6 08:49:37 1994
        case 5 where isDay(words[0]):
            return date(year: words[4], month: words[1], day: words[2], time: words[3], now: now)
        default: return nil
        }
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func isDay(_ word: Substring) -> Bool {
        days.contains { word.hasPrefix($0) }
    }

    private static func date(year: Substring, month: Substring, day: Substring, time: Substring, now: Date) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard
            let month = months.firstIndex(where: { month == $0 }).map({ $0 + 1 }),
            let day = number(day, 1...2), clock.count == 3,
            let hour = number(clock[0], 2...2), let minute = number(clock[1], 2...2), let second = number(clock[2], 2...2),
            hour < 24, minute < 60, second <= 60
        else { return nil }

        if let fullYear = number(year, 4...4) {
            return makeDate(fullYear, month, day, hour, minute, second)
        }
        // A two-digit year lies at most fifty years ahead, and else in the past.
        guard let shortYear = number(year, 2...2) else { return nil }
        let currentYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
        var fullYear = currentYear - currentYear % 100 + shortYear
        if fullYear > currentYear + 50 { fullYear -= 100 }
        if fullYear <= currentYear - 50 { fullYear += 100 }
        return makeDate(fullYear, month, day, hour, minute, second)
    }

    private static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static func makeDate(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) -> Date? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard year >= 1600, (1...lengths[month - 1]).contains(day) else { return nil }
        // Days since 1970 in the Gregorian calendar: leap days before this year, then the months of this one.
        let before = year - 1
        let daysOfYears = year * 365 + before / 4 - before / 100 + before / 400 - 719_527
        let days = daysOfYears + lengths[..<(month - 1)].reduce(0, +) + day - 1
        return Date(timeIntervalSince1970: TimeInterval(days * 86_400 + hour * 3600 + minute * 60 + second))
    }
}
