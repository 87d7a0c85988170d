// SPDX-License-Identifier: MIT

#if Curl && os(Linux)

/// Easy handles that wait for their next transfer; the one used last is taken first, since its memory is warm.
struct EasyHandlePool {
    private static let capacity = 128
    private var handles: [EasyHandle] = []
    /// How many are out.
    private(set) var takenCount = 0

    /// How many wait.
    var count: Int { handles.count }

    /// `nil` if none waits, or a new one is asked for: the caller then makes one, which counts as taken.
    mutating func take(new: Bool) -> EasyHandle? {
        takenCount += 1
        return new ? nil : handles.popLast()
    }

    mutating func give(_ handle: EasyHandle) {
        takenCount -= 1
        if !handle.isSpent, handles.count < Self.capacity { handles.append(handle) }
    }

    mutating func drain() { handles = [] }
}
#endif
