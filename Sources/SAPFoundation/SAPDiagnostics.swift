// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// Where this module reports what nobody gets as an error: a completion handler called twice, a store that failed.
///
/// Messages hold no password, token, cookie or credentials field, and of URLs the host only.
public enum SAPDiagnostics {
    /// How much a message matters.
    public enum Level: Sendable, Hashable {
        /// Worth knowing when something is looked for.
        case info
        /// Something failed, and was worked around.
        case error
        /// The program is wrong.
        case fault
    }

    private static let current = Locked<(@Sendable (Level, String) -> Void)?>(nil)

    /// Gets every message, on the thread where it arises. `nil`, the default, writes faults to the standard error and drops the rest.
    public static var handler: (@Sendable (Level, String) -> Void)? {
        get { current.withLock { $0 } }
        set {
            var replaced = newValue
            // What it was the last to hold may report something when it is let go of: not under the lock.
            current.withLock { swap(&$0, &replaced) }
        }
    }

    static func report(_ level: Level, _ message: @autoclosure () -> String) {
        if let handler { return handler(level, message()) }
        if level == .fault { FileHandle.standardError.write(Data("SAPFoundation: \(message())\n".utf8)) }
    }

    /// What `action` returns; `nil`, and a report with the error's type only, since its text may hold anything, if it throws.
    @discardableResult
    static func attempt<Value>(orReport failure: String, _ action: () throws -> Value) -> Value? {
        do {
            return try action()
        } catch {
            report(.error, "\(failure) (\(type(of: error)))")
            return nil
        }
    }
}
