// SPDX-License-Identifier: MIT

import Foundation

/// Seeds for tests that run over random cases, as arguments, so that a failure names the one that found it.
///
/// ```swift
/// @Test(arguments: Seeds.kept + Seeds.fresh(count: 200))
/// func `any challenge parses or throws, and never traps`(seed: UInt64) { … }
/// ```
public enum Seeds {
    /// Seeds that are always run: the corners of the range. A test that a seed has failed adds that seed to its own list.
    public static let kept: [UInt64] = [0, 1, UInt64.max]

    /// `count` seeds that follow from the environment variable `TEST_SEED` if it holds a number, from today's date (UTC) otherwise:
    /// the same all day, others tomorrow.
    public static func fresh(count: Int) -> [UInt64] {
        fresh(count: count, from: ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) } ?? daysSince1970)
    }

    /// `count` seeds that follow from `first`.
    public static func fresh(count: Int, from first: UInt64) -> [UInt64] {
        var generator = SeededGenerator(seed: first)
        return (0..<count).map { _ in generator.next() }
    }

    private static var daysSince1970: UInt64 { UInt64(max(0, Date().timeIntervalSince1970 / 86_400)) }
}
