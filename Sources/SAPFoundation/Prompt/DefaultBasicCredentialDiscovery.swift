// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

/// Asks a person for user name and password: by an alert where there is UIKit, on the controlling terminal on Linux and macOS.
///
/// It shows the host, the realm in quotes, whether the last entry was refused and whether the connection is encrypted. One prompt is shown
/// at a time in the whole process. Without a terminal it fails with ``BasicCredentialPromptError/noTerminal(host:)``. If the process is
/// killed while the password is typed, the terminal's echo stays off: `stty sane`.
public class DefaultBasicCredentialDiscovery: BasicCredentialDiscovery {
    #if os(Linux) || os(macOS)
    private let terminal: TerminalPrompt

    /// On the controlling terminal.
    public init() { terminal = TerminalPrompt() }

    init(terminal: TerminalPrompt) { self.terminal = terminal }

    /// Asks on a thread of its own, when it is its turn.
    public func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
    ) {
        let text = PromptText(challenge)
        PromptLine.join { [terminal] in
            Thread.detachNewThread {
                let result = Result { try terminal.ask(text) }
                PromptLine.next()
                switch result {
                case .success(let credential): completionHandler(credential, nil)
                case .failure(let error): completionHandler(nil, error)
                }
            }
        }
    }
    #elseif canImport(UIKit) && !os(watchOS)
    private let alert = AlertPrompt()

    /// On the topmost view controller.
    public init() {}

    /// Where the alert is shown. Default: the topmost view controller of the foreground scene, which app extensions cannot have: they must
    /// set it.
    @MainActor public var presentingViewController: UIViewController? {
        get { alert.presenter ?? AlertPrompt.topmostViewController }
        set { alert.presenter = newValue }
    }

    /// Asks on the main actor, when it is its turn.
    public func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
    ) {
        let text = PromptText(challenge)
        PromptLine.join { [alert] in
            _Concurrency.Task { @MainActor in
                let (credential, error) = await alert.ask(text)
                PromptLine.next()
                completionHandler(credential, error)
            }
        }
    }
    #else
    /// There is nobody to ask here.
    public init() {}

    /// Fails with ``BasicCredentialPromptError/noTerminal(host:)``.
    public func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
    ) {
        completionHandler(nil, BasicCredentialPromptError.noTerminal(host: PromptText(challenge).host))
    }
    #endif
}
