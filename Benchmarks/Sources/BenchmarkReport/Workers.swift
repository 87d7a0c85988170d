// SPDX-License-Identifier: MIT

/// Does `count` pieces of work with `inFlight` tasks that each do one after the other; returns how many failed.
public func inFlight(_ tasks: Int, count: Int, _ piece: @escaping @Sendable () async throws -> Bool) async -> Int {
    await withTaskGroup(of: Int.self) { group in
        for index in 0..<tasks {
            let share = count / tasks + (index < count % tasks ? 1 : 0)
            group.addTask {
                var failures = 0
                for _ in 0..<share {
                    do {
                        if try await !piece() { failures += 1 }
                    } catch {
                        failures += 1
                    }
                }
                return failures
            }
        }
        return await group.reduce(0, +)
    }
}
