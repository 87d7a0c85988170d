// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import HTTPMessages
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A terminal made of software: the test sits at `master` and types, the code under test opens ``path``.
final class PseudoTerminal: Sendable {
    struct Failure: Error {}

    let master: Int32
    let path: String
    /// Kept open so that the terminal's settings outlive whoever uses it.
    private let keeper: Int32
    private let isHungUp = Locked(false)

    init() throws {
        var (master, keeper): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard openpty(&master, &keeper, &name, nil, nil) == 0 else { throw Failure() }
        self.master = master
        self.keeper = keeper
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        close(keeper)
        hangUp()
    }

    /// Takes the terminal away from whoever uses it.
    func hangUp() {
        let wasHungUp = isHungUp.withLock { isHungUp in
            defer { isHungUp = true }
            return isHungUp
        }
        if !wasHungUp { close(master) }
    }

    /// Whether nothing is shown that has not been read.
    var isBlank: Bool {
        var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 0
    }

    var echoes: Bool { settings.c_lflag & tcflag_t(ECHO) != 0 }

    /// Whether echo, line editing and signals are on.
    var isSane: Bool { settings.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == tcflag_t(ECHO | ICANON | ISIG) }

    private var settings: termios {
        var settings = termios()
        tcgetattr(keeper, &settings)
        return settings
    }

    func type(_ text: String) { type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) } }

    /// Reads what is shown until it ends with `end`; blocks.
    func read(until end: String) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while readByte(master, &byte) == 1 {
            bytes.append(byte)
            if bytes.suffix(end.utf8.count).elementsEqual(end.utf8) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

private func readByte(_ descriptor: Int32, _ byte: inout UInt8) -> Int { read(descriptor, &byte, 1) }
#endif
