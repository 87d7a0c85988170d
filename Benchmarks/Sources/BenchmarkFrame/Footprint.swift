// SPDX-License-Identifier: MIT

import Foundation

/// What the process takes of the machine, as Linux tells it; 0 elsewhere.
public enum Footprint {
    /// The memory that is resident.
    public static func residentKibibytes() -> Int { number(after: "VmRSS:") }

    /// The most memory that was ever resident.
    public static func peakKibibytes() -> Int { number(after: "VmHWM:") }

    /// The threads there are.
    public static func threads() -> Int { number(after: "Threads:") }

    private static func number(after name: String) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) })
        else { return 0 }
        return Int(line.filter(\.isNumber)) ?? 0
    }
}
