// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPAuthentication
import HTTPMessages

/// The browser that the person has chosen for the system.
public enum SystemBrowser {
    /// Shows a page, by `xdg-open` on Linux and `open` on macOS; returns when that command has ended, usually before the page is shown.
    /// - Throws: `OAuth2ClientError` of kind `browserUnavailable` if there is no such command or it fails, as without a desktop.
    public static func open(_ url: URL) async throws(OAuth2ClientError) {
        #if os(macOS)
        try await open(url, by: "open", in: "/usr/bin")
        #else
        try await open(url, by: "xdg-open", in: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        #endif
    }

    /// - Parameter path: the folders in which to look for the command, with colons between.
    static func open(_ url: URL, by command: String, in path: String) async throws(OAuth2ClientError) {
        let attempt = "Opening \(url.redactedDescription) in the browser"
        // Nothing else: such a command starts programs for other schemes.
        guard Origin(url: url) != nil else {
            throw OAuth2ClientError(.invalidArgument, attempting: attempt, "only http and https pages are opened")
        }
        let advice = "; show the address to the person, and pass what does that as the log-in's opening"
        let files = path.split(separator: ":").map { URL(fileURLWithPath: String($0)).appendingPathComponent(command) }
        guard let file = files.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            throw OAuth2ClientError(.browserUnavailable, attempting: attempt, "there is no command \(command) here\(advice)")
        }
        let process = Process()
        process.executableURL = file
        process.arguments = [url.absoluteString]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let answer = Locked<(@Sendable (Result<Int32, any Error>) -> Void)?>(nil)
        let end: @Sendable (Result<Int32, any Error>) -> Void = { result in
            let answer = answer.withLock { answer in
                defer { answer = nil }
                return answer
            }
            answer?(result)
        }
        // A browser that the command itself has become stays open when the log-in is over.
        let status: Result<Int32, any Error> = await awaitingCallback(onCancel: { end(.success(0)) }) { callback in
            answer.withLock { $0 = callback }
            process.terminationHandler = { end(.success($0.terminationStatus)) }
            do {
                try process.run()
            } catch {
                end(.failure(error))
            }
            if Task.isCancelled { end(.success(0)) }
        }
        switch status {
        case .success(0): return
        case .success(let status):
            throw OAuth2ClientError(
                .browserUnavailable, attempting: attempt, "\(command) ended with status \(status), perhaps for want of a desktop\(advice)")
        case .failure(let error):
            throw OAuth2ClientError(
                .browserUnavailable, attempting: attempt, "\(command) could not be started\(advice)", underlyingError: error)
        }
    }
}
#endif
