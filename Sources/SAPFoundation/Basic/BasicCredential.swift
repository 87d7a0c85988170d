// SPDX-License-Identifier: MIT

import Foundation

/// A user name and a password. It does not print the password.
public struct BasicCredential: Codable, Sendable, Equatable {
    /// Basic cannot carry one with a colon; it may be empty if the password is not.
    public let username: String
    /// May be empty.
    public let password: String

    /// Nothing is checked here, but before the credential is used.
    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }

    private enum CodingKeys: String, CodingKey {
        case username
        case password
    }

    /// Whether Basic can carry it (RFC 7617, 2).
    var isValid: Bool {
        if username.isEmpty, password.isEmpty { return false }
        if username.utf8.contains(UInt8(ascii: ":")) { return false }
        return !(username + password).unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension BasicCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user name.
    public var description: String { "BasicCredential(username: \(username.debugDescription), password: <redacted>)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror {
        Mirror(self, children: ["username": username, "password": "<redacted>"], displayStyle: .struct)
    }
}
