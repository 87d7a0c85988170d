// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPMessages

/// Another program, to share a store with: `StoreTool`, which the package builds beside the tests.
package final class StoreToolProcess: @unchecked Sendable {  // Process and its handles are used by one thread at a time
    package struct Ending: Sendable, Equatable {
        package let output: String
        package let isKilled: Bool
        package let status: Int32

        package init(output: String, isKilled: Bool, status: Int32) {
            self.output = output
            self.isKilled = isKilled
            self.status = status
        }
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts it; ``kill()`` or the end of its input ends it at the latest.
    /// - Parameters:
    ///   - wrapper: a program, by its path, with its arguments, which runs the one that is appended to them.
    ///   - environment: what it finds in its environment beside this process's, or in its place.
    package init(through wrapper: [String] = [], environment: [String: String] = [:], _ arguments: String...) throws {
        let command = wrapper + [Self.folder.appendingPathComponent("StoreTool").path] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.standardError
        try Self.withoutBlockedSignals { try process.run() }
    }

    /// Children inherit the signals that the thread blocks, and a queue's thread blocks them all: what is started by a child could not be ended by it.
    private static func withoutBlockedSignals(_ action: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try action()
    }

    /// Where the tests themselves were built to.
    private static var folder: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        if let bundle { return bundle.bundleURL.deletingLastPathComponent() }
        return (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
    }

    /// Waits for a line of its output; `nil` at the output's end.
    package func line() async -> String? {
        await blocking { [self] in
            var bytes: [UInt8] = []
            while true {
                let byte = output.fileHandleForReading.readData(ofLength: 1)
                guard let byte = byte.first else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
                if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
                bytes.append(byte)
            }
        }
    }

    /// Ends it as a crash would, without a chance to tidy up.
    package func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    /// Closes its input, reads the rest of its output and waits for its end.
    package func ending() async -> Ending {
        await blocking { [self] in
            try? input.fileHandleForWriting.close()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return Ending(
                output: String(decoding: data, as: UTF8.self), isKilled: process.terminationReason == .uncaughtSignal,
                status: process.terminationStatus)
        }
    }

    private func blocking<Result: Sendable>(_ action: @escaping @Sendable () -> Result) async -> Result {
        // A test whose time is over ends what it waits for.
        await awaitingCallback(onCancel: { [self] in kill() }) { callback in
            Thread.detachNewThread { callback(action()) }
        }
    }
}
#endif
