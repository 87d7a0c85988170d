// SPDX-License-Identifier: MIT

/// Why nobody could be asked for a user name and a password.
public enum BasicCredentialPromptError: SAPError {
    /// The process has no controlling terminal.
    case noTerminal(host: String)
    /// The process runs in the background of its terminal.
    case notInForeground(host: String)
    /// The terminal is gone, or what was opened is none.
    case inputFailed(errno: Int32)

    /// What to do, too.
    public var description: String {
        switch self {
        case .noTerminal(let host):
            "\(host) asks for a user name and password, but this process has no terminal to ask on. "
                + "Pass your own BasicCredentialDiscovery, or put the credential in the store."
        case .notInForeground(let host):
            "\(host) asks for a user name and password, but this process runs in the background of its terminal. Bring it to the foreground "
                + "and try again."
        case .inputFailed(let errno):
            "Reading the user name and password from the terminal failed (errno \(errno)). Try again on a terminal that stays, pass your own "
                + "BasicCredentialDiscovery, or put the credential in the store."
        }
    }
}
