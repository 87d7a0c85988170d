// SPDX-License-Identifier: MIT

import Foundation

/// The Basic scheme (RFC 7617).
package enum BasicScheme {
    /// The field value for `credential`, encoded as UTF-8 whether or not the server announced a charset.
    ///
    /// - Parameter normalizes: whether to bring the text into Normalization Form C first; due where the server announced UTF-8.
    /// - Throws: ``HTTPAuthenticationError`` for a user-id with a colon, and for control characters in either part.
    package static func credentials(for credential: UserCredential, normalizes: Bool = false) throws(HTTPAuthenticationError) -> String {
        try credential.checkUserID()
        if credential.userID.utf8.contains(UInt8(ascii: ":")) { throw .colonInUserID }
        if credential.password.utf8.contains(where: ASCII.isControl) { throw .controlCharacterInPassword }
        let credential = normalizes ? credential.normalized : credential
        return "Basic " + Data("\(credential.userID):\(credential.password)".utf8).base64EncodedString()
    }

    /// Whether `challenge` announces UTF-8, the only charset there is (RFC 7617, 2.1).
    static func announcesUTF8(_ challenge: Challenge) -> Bool {
        challenge["charset"].map { ASCII.lowercased($0) == "utf-8" } ?? false
    }

    /// The path at or below which `target`'s credentials may be sent ahead: up to its last slash (RFC 7617, 2.2).
    static func pathPrefix(of target: String) -> String {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard let slash = path.lastIndex(of: ASCII.slash) else { return "/" }
        return String(decoding: path[...slash], as: UTF8.self)
    }
}
