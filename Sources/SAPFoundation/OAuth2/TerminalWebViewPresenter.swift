// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPMessages
import HTTPSessions
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes the log-in page's URL to the controlling terminal, for the person to open in a browser, and waits on loopback for where it leads.
///
/// The redirect URL has to be `http://127.0.0.1:PORT/…` with a port that is free. Without a terminal it fails with
/// ``BasicCredentialPromptError/noTerminal(host:)``.
public final class TerminalWebViewPresenter: WebViewPresenting, Sendable {
    private let terminalPath: String
    private let waiting = Locked<LoopbackRedirect?>(nil)

    /// A presenter on the controlling terminal.
    public init() { terminalPath = "/dev/tty" }

    init(terminalPath: String) { self.terminalPath = terminalPath }

    /// Returns at once; `completionHandler` is called on a thread of the presenter's own.
    public func present(_ url: URL, redirectURL: URL, completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void) {
        do {
            let redirect = try LoopbackRedirect(redirectURL)
            try write("To log in, open this page in a browser:\n\n  \(url.absoluteString)\n\n", host: url.host ?? "")
            waiting.withLock { $0 = redirect }
            redirect.wait { [waiting] target in
                waiting.withLock { $0 = nil }
                guard let target else { return completionHandler(nil, OAuth2Error.cancelled) }
                let origin = "http://\(redirectURL.host ?? "127.0.0.1"):\(redirect.port)"
                completionHandler(URL(string: origin + target), nil)
            }
        } catch {
            completionHandler(nil, error)
        }
    }

    /// Stops waiting.
    public func dismiss() { waiting.withLock { $0 }?.stop() }

    private func write(_ text: String, host: String) throws {
        let descriptor = open(terminalPath, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw BasicCredentialPromptError.noTerminal(host: host) }
        defer { close(descriptor) }
        let terminal = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        try terminal.write(contentsOf: Data(text.utf8))
    }
}
#endif
