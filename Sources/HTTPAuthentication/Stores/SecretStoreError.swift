// SPDX-License-Identifier: MIT

import Foundation

/// Why a store of secrets refused. Holds paths and keys, never a secret, so it may be logged as it is.
public struct SecretStoreError: Error, Hashable, Sendable {
    private enum Code: Hashable {
        case notAFile(String, StaticKind)
        case accessibleToOthers(path: String, mode: UInt32)
        case ownedByAnother(path: String)
        case folderWritableByOthers(path: String)
        case malformedFile(path: String)
        case fileTooLarge(path: String, limit: Int)
        case system(action: StaticKind, path: String, errno: Int32)
        case lockTimedOut(path: String, seconds: Double)
        case unreadable(key: String)
        case unencodable(key: String)
        case nothingStored(key: String)
        case keyringLocked
        case keyringUnavailable(reason: String)
        case keychain(status: Int32)
    }

    /// A text from the program, never from a file.
    struct StaticKind: Hashable, Sendable, ExpressibleByStringLiteral {
        let text: String
        init(stringLiteral value: StaticString) { text = "\(value)" }
    }

    private let code: Code

    static func notAFile(_ path: String, is kind: StaticKind) -> Self { Self(code: .notAFile(path, kind)) }
    /// Others than the file's owner may read or change it; the mode is that of `chmod`.
    static func accessibleToOthers(_ path: String, mode: UInt32) -> Self { Self(code: .accessibleToOthers(path: path, mode: mode)) }
    static func ownedByAnother(_ path: String) -> Self { Self(code: .ownedByAnother(path: path)) }
    static func folderWritableByOthers(_ path: String) -> Self { Self(code: .folderWritableByOthers(path: path)) }
    static func malformedFile(_ path: String) -> Self { Self(code: .malformedFile(path: path)) }
    static func fileTooLarge(_ path: String, limit: Int) -> Self { Self(code: .fileTooLarge(path: path, limit: limit)) }
    static func system(_ action: StaticKind, _ path: String, errno: Int32) -> Self {
        Self(code: .system(action: action, path: path, errno: errno))
    }
    static func lockTimedOut(_ path: String, after limit: Duration) -> Self {
        Self(code: .lockTimedOut(path: path, seconds: limit / .seconds(1)))
    }
    /// What is kept under the key is not of the type that was asked for.
    public static func unreadable(key: String) -> Self { Self(code: .unreadable(key: key)) }
    /// JSON cannot hold the value, as for a number that is not finite.
    public static func unencodable(key: String) -> Self { Self(code: .unencodable(key: key)) }
    /// A value was to be renewed, but none is kept, as after another program has signed out.
    public static func nothingStored(key: String) -> Self { Self(code: .nothingStored(key: key)) }
    /// The desktop's keyring is locked, and nobody unlocked it.
    public static let keyringLocked = Self(code: .keyringLocked)
    /// The desktop has no Secret Service, or it failed; `reason` is the service's own sentence.
    static func keyringUnavailable(_ reason: String) -> Self { Self(code: .keyringUnavailable(reason: reason)) }
    /// The Keychain refused, with Security's status.
    static func keychain(status: Int32) -> Self { Self(code: .keychain(status: status)) }

    /// One of a fixed set of words, safe in metrics.
    public var label: String {
        switch code {
        case .notAFile: "notARegularFile"
        case .accessibleToOthers: "accessibleToOthers"
        case .ownedByAnother: "ownedByAnother"
        case .folderWritableByOthers: "folderWritableByOthers"
        case .malformedFile: "malformedFile"
        case .fileTooLarge: "fileTooLarge"
        case .system: "system"
        case .lockTimedOut: "lockTimedOut"
        case .unreadable: "unreadable"
        case .unencodable: "unencodable"
        case .nothingStored: "nothingStored"
        case .keyringLocked: "keyringLocked"
        case .keyringUnavailable: "keyringUnavailable"
        case .keychain: "keychain"
        }
    }

    /// The system's error number, where a call into the system failed.
    public var systemErrorNumber: Int32? {
        if case .system(_, _, let number) = code { number } else { nil }
    }
}

extension SecretStoreError: CustomStringConvertible, LocalizedError {
    /// A sentence that says what went wrong, and one that says what to do.
    public var description: String {
        switch code {
        case .notAFile(let path, let kind):
            "\(path) is \(kind.text), and secrets are read from regular files only. Name the file itself, or move it away."
        case .accessibleToOthers(let path, let mode):
            "\(path) holds secrets, but others may access it (mode \(String(mode, radix: 8))). Run `chmod 600` on it, and renew what is "
                + "in it if others may have read it."
        case .ownedByAnother(let path):
            "\(path) belongs to another user. Run as that user, or choose another file."
        case .folderWritableByOthers(let path):
            "Others may replace files in \(path). Run `chmod go-w` on it, or keep the secrets elsewhere."
        case .malformedFile(let path):
            "\(path) is not a file of secrets, or it is damaged. Move it away and sign in again."
        case .fileTooLarge(let path, let limit):
            "\(path) would be or is larger than \(limit) bytes. It is not a file of secrets, or something else belongs elsewhere."
        case .system(let action, let path, let errno):
            "Could not \(action.text) \(path): \(String(cString: strerror(errno)))."
        case .lockTimedOut(let path, let seconds):
            "Another program has held the lock \(path) for more than \(seconds) s. End that program if it hangs."
        case .unreadable(let key): "What is kept under the key \(key.debugDescription) is of another kind. Remove it and sign in again."
        case .unencodable(let key): "The value for the key \(key.debugDescription) cannot be written as JSON."
        case .nothingStored(let key): "Nothing is kept under the key \(key.debugDescription). Sign in (again)."
        case .keyringLocked: "The keyring is locked. Unlock it, for example by logging in to the desktop, and try again."
        case .keyringUnavailable(let reason):
            "The desktop's Secret Service did not answer (\(reason)). Start one, such as gnome-keyring, or use a file store."
        case .keychain(let status): "The Keychain refused with status \(status)."
        }
    }

    /// The same sentences as ``description``.
    public var errorDescription: String? { description }
}
