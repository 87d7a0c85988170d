// SPDX-License-Identifier: MIT

/// Does `count` requests with `inFlight` tasks that each do one after the other.
/// - Returns: how many failed, or brought something else than `expected`.
public func inFlight(_ tasks: Int, count: Int, expecting expected: Answer, _ get: @escaping Get) async -> Int {
    // A group looks for a task that ends among all that it has: thousands are kept in groups of groups.
    guard tasks <= 64 else {
        let half = tasks / 2
        async let failures = inFlight(half, count: count * half / tasks, expecting: expected, get)
        return await inFlight(tasks - half, count: count - count * half / tasks, expecting: expected, get) + failures
    }
    return await withTaskGroup(of: Int.self) { group in
        for index in 0..<tasks {
            let share = count / tasks + (index < count % tasks ? 1 : 0)
            group.addTask {
                var failures = 0
                for _ in 0..<share {
                    do {
                        if try await get() != expected { failures += 1 }
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
