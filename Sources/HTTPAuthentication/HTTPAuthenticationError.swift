// SPDX-License-Identifier: MIT

import Foundation

/// Why a challenge could not be read or credentials could not be made.
///
/// Holds no user-id, password, nonce or other text taken from a message, so it may be logged as it is.
public struct HTTPAuthenticationError: Error, Hashable, Sendable {
    /// What is wrong with a challenge's text.
    package enum Syntax: String, Hashable, Sendable {
        case schemeMissing = "an auth-param stands before any scheme"
        case tokenExpected = "a scheme or a parameter name is expected"
        case valueMissing = "a parameter has no value"
        case quoteUnterminated = "a quoted string does not end"
        case controlCharacter = "a quoted string holds a control character"
        case separatorExpected = "a comma is expected"
        case parameterAfterToken68 = "a challenge holds both token68 and parameters"
        case parameterRepeated = "a challenge holds a parameter twice"
    }

    private enum Code: Hashable {
        case malformed(Syntax, offset: Int)
        case fieldsTooLong(limit: Int)
        case tooManyChallenges(limit: Int)
        case tooManyParameters(limit: Int)
        case colonInUserID
        case controlCharacterInUserID
        case controlCharacterInPassword
        case controlCharacterInTarget
        case unsupportedChallenge(String)
        case nonceExhausted
        case hashUnavailable(String)
        case randomnessUnavailable
    }

    private let code: Code

    /// The challenge does not follow RFC 9110, 11.3; `offset` counts bytes from the start of the field's value.
    package static func malformed(_ syntax: Syntax, offset: Int) -> Self { Self(code: .malformed(syntax, offset: offset)) }
    /// The challenge fields together are longer than `limit` bytes.
    package static func fieldsTooLong(limit: Int) -> Self { Self(code: .fieldsTooLong(limit: limit)) }
    /// One response carries more than `limit` challenges.
    package static func tooManyChallenges(limit: Int) -> Self { Self(code: .tooManyChallenges(limit: limit)) }
    /// One challenge carries more than `limit` parameters.
    package static func tooManyParameters(limit: Int) -> Self { Self(code: .tooManyParameters(limit: limit)) }
    /// Basic cannot carry a user-id with a colon (RFC 7617, 2).
    public static let colonInUserID = Self(code: .colonInUserID)
    /// A user-id must not hold control characters (RFC 7617, 2; RFC 9110, 5.5).
    public static let controlCharacterInUserID = Self(code: .controlCharacterInUserID)
    /// Basic cannot carry a password with control characters (RFC 7617, 2).
    public static let controlCharacterInPassword = Self(code: .controlCharacterInPassword)
    /// The request target holds a control character.
    package static let controlCharacterInTarget = Self(code: .controlCharacterInTarget)
    /// A challenge of a known scheme asks for what is not supported; `reason` is a fixed text.
    package static func unsupportedChallenge(_ reason: StaticString) -> Self { Self(code: .unsupportedChallenge("\(reason)")) }
    /// A Digest nonce has been used for all of its 2^32 - 1 counts.
    package static let nonceExhausted = Self(code: .nonceExhausted)
    /// The platform's cryptography does not offer the hash function.
    package static func hashUnavailable(_ name: String) -> Self { Self(code: .hashUnavailable(name)) }
    /// The platform's generator of random bytes failed.
    package static let randomnessUnavailable = Self(code: .randomnessUnavailable)

    /// Whether the text itself is wrong, rather than a limit passed.
    var isMalformedChallenge: Bool {
        if case .malformed = code { true } else { false }
    }

    /// One of a fixed set of words, safe in metrics.
    public var label: String {
        switch code {
        case .malformed: "malformedChallenge"
        case .fieldsTooLong: "challengeFieldsTooLong"
        case .tooManyChallenges: "tooManyChallenges"
        case .tooManyParameters: "tooManyParameters"
        case .colonInUserID: "colonInUserID"
        case .controlCharacterInUserID: "controlCharacterInUserID"
        case .controlCharacterInPassword: "controlCharacterInPassword"
        case .controlCharacterInTarget: "controlCharacterInTarget"
        case .unsupportedChallenge: "unsupportedChallenge"
        case .nonceExhausted: "nonceExhausted"
        case .hashUnavailable: "hashUnavailable"
        case .randomnessUnavailable: "randomnessUnavailable"
        }
    }
}

extension HTTPAuthenticationError: CustomStringConvertible, LocalizedError {
    /// A sentence that says what went wrong, without any text from the message.
    public var description: String {
        switch code {
        case .malformed(let syntax, let offset): "The authentication challenge is malformed at byte \(offset): \(syntax.rawValue)."
        case .fieldsTooLong(let limit): "The authentication challenges are longer than \(limit) bytes."
        case .tooManyChallenges(let limit): "The response carries more than \(limit) authentication challenges."
        case .tooManyParameters(let limit): "An authentication challenge carries more than \(limit) parameters."
        case .colonInUserID: "A user-id with a colon cannot be sent with Basic authentication."
        case .controlCharacterInUserID: "The user-id holds a control character, which no authentication scheme can carry."
        case .controlCharacterInPassword: "The password holds a control character, which Basic authentication cannot carry."
        case .controlCharacterInTarget: "The request target holds a control character."
        case .unsupportedChallenge(let reason): "The authentication challenge cannot be answered: \(reason)."
        case .nonceExhausted: "The server's Digest nonce has been used as often as it can be."
        case .hashUnavailable(let name): "The hash function \(name) is not available on this system."
        case .randomnessUnavailable: "The system's random number generator failed."
        }
    }

    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
