// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// What the system says of this process's memory, in KiB; all 0 where there is no `/proc`.
struct ProcessMemory {
    /// What is in memory now.
    var resident = 0
    /// The most there ever was.
    var peak = 0

    static var now: ProcessMemory {
        var memory = ProcessMemory()
        for line in ((try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "").split(separator: "\n") {
            let number = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            if line.hasPrefix("VmRSS:") { memory.resident = number }
            if line.hasPrefix("VmHWM:") { memory.peak = number }
        }
        return memory
    }
}

/// The memory at even distances over a run.
final class MemoryLine: Sendable {
    private let samples = Locked<[(done: Int, resident: Int)]>([])

    func sample(done: Int) {
        let resident = ProcessMemory.now.resident
        samples.withLock { $0.append((done, resident)) }
    }

    /// The mean of what was sampled within a range of the run, in KiB.
    func mean(_ range: Range<Int>) -> Int {
        let values = samples.withLock { samples in samples.filter { range.contains($0.done) }.map(\.resident) }
        return values.isEmpty ? 0 : values.reduce(0, +) / values.count
    }
}
