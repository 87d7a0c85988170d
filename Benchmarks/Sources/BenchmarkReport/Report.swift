// SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs `work`, which returns how many of its `count` pieces failed, and prints the line that `Scripts/benchmark` reads.
public func report(
    program: String, work name: String, inFlight: Int, count: Int, _ work: () async throws -> Int
) async rethrows {
    let cpu = cpuSeconds()
    let clock = ContinuousClock()
    let begin = clock.now
    let failures = try await work()
    let seconds = (clock.now - begin) / .seconds(1)
    let usedCPU = cpuSeconds() - cpu
    print(
        "program=\(program) work=\(name) in_flight=\(inFlight) count=\(count) failures=\(failures)",
        "seconds=\(seconds) cpu_seconds=\(usedCPU) peak_kib=\(peakKibibytes())")
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

private func peakKibibytes() -> Int {
    #if canImport(Darwin)
    usage().ru_maxrss / 1024
    #else
    usage().ru_maxrss
    #endif
}
