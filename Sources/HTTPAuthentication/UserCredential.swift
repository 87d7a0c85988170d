// SPDX-License-Identifier: MIT

import Foundation

/// A user-id and a password, for Basic, Digest and NTLM. Neither is ever printed.
public struct UserCredential: Sendable, Hashable {
    /// The user-id, in any script; Basic cannot carry one with a colon.
    public let userID: String
    /// The password.
    public let password: String

    /// Any text is taken here; what a scheme cannot carry is an error when an answer is made.
    public init(userID: String, password: String) {
        self.userID = userID
        self.password = password
    }

    /// - Throws: if the user-id holds a control character.
    func checkUserID() throws(HTTPAuthenticationError) {
        if userID.utf8.contains(where: ASCII.isControl) { throw .controlCharacterInUserID }
    }

    /// In Normalization Form C, which servers expect that announce `charset="UTF-8"` (RFC 7617, 2.1; RFC 7616, 4).
    var normalized: UserCredential {
        UserCredential(userID: Self.normalized(userID), password: Self.normalized(password))
    }

    private static func normalized(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }
}

extension UserCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A fixed text.
    public var description: String { "UserCredential(redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
