// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Asks for user name and password on the controlling terminal, and nowhere else: standard input and output may be pipes.
///
/// The terminal is restored however it ends, but for a signal from outside that kills the process: then `stty sane` brings the echo back.
struct TerminalPrompt: Sendable {
    var path = "/dev/tty"
    /// What Ctrl-C does, once the terminal is as it was.
    var interrupt: @Sendable () -> Void = { raise(SIGINT) }

    private static let lengthLimit = 1024
    private static let userNameAttempts = 3

    /// Blocks until the person has answered.
    func ask(_ text: PromptText) throws -> BasicCredential {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw BasicCredentialPromptError.noTerminal(host: text.host) }
        defer { close(descriptor) }
        // Reading from the background would stop the process. There is no group if this is not the controlling terminal.
        let foreground = tcgetpgrp(descriptor)
        guard foreground == -1 || foreground == getpgrp() else { throw BasicCredentialPromptError.notInForeground(host: text.host) }

        try write(text.lines.joined(separator: "\n") + "\n", to: descriptor)
        let userName = try askUserName(on: descriptor)
        let password = try askPassword(on: descriptor)
        guard !userName.isEmpty || !password.isEmpty else { throw BasicCredentialDiscoveryError.cancelled }
        return BasicCredential(username: userName, password: password)
    }

    private func askUserName(on descriptor: Int32) throws -> String {
        for _ in 0..<Self.userNameAttempts {
            try write("User name: ", to: descriptor)
            let name = try readLine(from: descriptor)
            if !name.contains(":") { return name }
            try write("A user name cannot have a colon here.\n", to: descriptor)
        }
        throw BasicCredentialDiscoveryError.cancelled
    }

    /// A line as the terminal edits it; what is beyond the limit is dropped.
    private func readLine(from descriptor: Int32) throws -> String {
        var bytes: [UInt8] = []
        while true {
            guard let byte = try nextByte(of: descriptor) else { throw BasicCredentialDiscoveryError.cancelled }
            if byte == UInt8(ascii: "\n") { break }
            if bytes.count < Self.lengthLimit { bytes.append(byte) }
        }
        return try Self.text(bytes)
    }

    private func askPassword(on descriptor: Int32) throws -> String {
        try write("Password: ", to: descriptor)
        var saved = termios()
        guard tcgetattr(descriptor, &saved) == 0 else { throw BasicCredentialPromptError.inputFailed(errno: errno) }
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        // Also drops what was typed ahead, which was not meant as a password.
        guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else { throw BasicCredentialPromptError.inputFailed(errno: errno) }
        let entry: PasswordEntry.End
        var password = PasswordEntry(limit: Self.lengthLimit)
        defer { password.overwrite() }
        do {
            // The newline that the person did not see.
            defer {
                tcsetattr(descriptor, TCSADRAIN, &saved)
                try? write("\n", to: descriptor)
            }
            entry = try readPassword(into: &password, from: descriptor)
        }
        switch entry {
        case .complete: return try password.text()
        case .givenUp: throw BasicCredentialDiscoveryError.cancelled
        case .interrupted:
            interrupt()
            throw BasicCredentialDiscoveryError.cancelled
        }
    }

    private func readPassword(into password: inout PasswordEntry, from descriptor: Int32) throws -> PasswordEntry.End {
        while true {
            guard let byte = try nextByte(of: descriptor) else { return .givenUp }
            if let end = password.typed(byte) { return end }
        }
    }

    /// `nil` at the end of the input.
    private func nextByte(of descriptor: Int32) throws -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count == 1 { return byte }
            if count == 0 {
                // A terminal that has been hung up reads as an empty one, but has no settings any more.
                var settings = termios()
                guard tcgetattr(descriptor, &settings) == 0 else { throw BasicCredentialPromptError.inputFailed(errno: errno) }
                return nil
            }
            if errno != EINTR { throw BasicCredentialPromptError.inputFailed(errno: errno) }
        }
    }

    private func write(_ text: String, to descriptor: Int32) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { buffer in systemWrite(descriptor, buffer.baseAddress, buffer.count) }
            if count > 0 {
                bytes.removeFirst(count)
            } else if count < 0, errno != EINTR {
                throw BasicCredentialPromptError.inputFailed(errno: errno)
            }
        }
    }

    private static func text(_ bytes: [UInt8]) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw BasicCredentialDiscoveryError.inconsistentState }
        return text
    }
}

/// The system's `write`, which the method above hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
#endif
