// SPDX-License-Identifier: MIT

import Foundation
import HTTPTesting

/// What the environment says of the long runs: they run where `OPENMOYA_STRESS` is set. A number greater than 1 is how many requests the longest
/// of them sends. `TEST_SEED` replays a run.
enum Stress {
    private static let asked = ProcessInfo.processInfo.environment["OPENMOYA_STRESS"]

    static let isEnabled = asked.map { !$0.isEmpty && $0 != "0" } ?? false

    /// 100,000 unless the environment says otherwise.
    static let requestCount = asked.flatMap { Int($0) }.flatMap { $0 > 1 ? $0 : nil } ?? 100_000

    /// A tenth as many at most, for the runs in which each request costs more.
    static let shortCount = min(requestCount, 3_000)

    static let seed = Seeds.fresh(count: 1)[0]
}
