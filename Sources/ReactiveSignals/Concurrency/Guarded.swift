// SPDX-License-Identifier: MIT

/// A value that only the holder of its lock can reach.
final class Guarded<Value>: @unchecked Sendable {  // the value is touched only under the lock beside it
    private let lock = Lock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    deinit {
        lock.destroy()
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
