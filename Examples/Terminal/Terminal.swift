// SPDX-License-Identifier: MIT

import Foundation

/// What an example writes; colours and bars only where a person looks.
package enum Terminal {
    private static let isInteractive = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// The heading of what follows.
    package static func title(_ text: String) { print("\n" + styled(text, "1")) }
    /// A step that did what it says.
    package static func done(_ text: String, _ detail: String = "") {
        clearLine()
        print("  \(styled("✓", "32")) \(text)" + (detail.isEmpty ? "" : styled("  \(detail)", "2")))
    }
    /// Why the program ends here; to standard error.
    package static func fail(_ text: String) {
        clearLine()
        FileHandle.standardError.write(Data("  \(styled("✗", "31")) \(text)\n".utf8))
    }

    /// A bar that is drawn over itself.
    package static func bar(_ label: String, _ fraction: Double) {
        guard isInteractive else { return }
        let width = 32
        let filled = Int((min(max(fraction, 0), 1) * Double(width)).rounded())
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        write("\r    \(label) \(bar) \(Int(fraction * 100)) %")
    }

    private static func clearLine() { if isInteractive { write("\r\u{1B}[K") } }
    private static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
    private static func styled(_ text: String, _ code: String) -> String { isInteractive ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}

/// A step did not do what it says.
package struct StepFailure: Error, CustomStringConvertible {
    /// What was expected.
    package let description: String

    /// Says what was expected.
    package init(_ description: String) { self.description = description }
}

/// Fails the program unless `condition` holds.
package func check(_ condition: Bool, _ expectation: String) throws {
    guard condition else { throw StepFailure("expected \(expectation)") }
}
