// SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs `work`, which returns how many of its `count` pieces failed, and prints the line that `Scripts/benchmark` reads; `also` adds words to it.
public func report(
    program: String, work name: String, inFlight: Int, count: Int, _ work: () async throws -> Int, also: () -> String = { "" }
) async rethrows {
    let cpu = cpuSeconds()
    let clock = ContinuousClock()
    let begin = clock.now
    let failures = try await work()
    let seconds = (clock.now - begin) / .seconds(1)
    let usedCPU = cpuSeconds() - cpu
    print(
        "program=\(program) work=\(name) in_flight=\(inFlight) count=\(count) failures=\(failures)",
        "seconds=\(seconds) cpu_seconds=\(usedCPU) peak_kib=\(Footprint.peakKibibytes())", also())
}

private func usage() -> rusage {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(RUSAGE_SELF.rawValue, &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    return usage
}

private func cpuSeconds() -> Double {
    let usage = usage()
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
}

/// What the process takes of the machine.
public enum Footprint {
    /// The most memory that was ever resident.
    public static func peakKibibytes() -> Int {
        #if canImport(Darwin)
        usage().ru_maxrss / 1024
        #else
        usage().ru_maxrss
        #endif
    }

    /// The memory that is resident now; on other systems than Linux the most that ever was.
    public static func residentKibibytes() -> Int {
        #if os(Linux)
        firstNumber(after: "VmRSS:") ?? peakKibibytes()
        #else
        peakKibibytes()
        #endif
    }

    /// The threads there are now; on other systems than Linux 0.
    public static func threads() -> Int {
        #if os(Linux)
        firstNumber(after: "Threads:") ?? 0
        #else
        0
        #endif
    }

    #if os(Linux)
    private static func firstNumber(after name: String) -> Int? {
        guard let file = fopen("/proc/self/status", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            return Int(text.dropFirst(name.count).filter(\.isNumber))
        }
        return nil
    }
    #endif
}
