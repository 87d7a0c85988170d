// SPDX-License-Identifier: MIT

import WorkReport

/// Runs `work`, which returns how many of its `count` pieces failed, and prints the line that `Scripts/benchmark` reads; `also` adds words to it.
public func report(
    _ program: String, _ name: String, inFlight: Int = 1, count: Int = 1, _ work: () async throws -> Int, also: () -> String = { "" }
) async rethrows {
    let stopwatch = startStopwatch(false)
    let failures = try await work()
    reportWork(stopwatch, program, name, inFlight, count, failures, also())
}
