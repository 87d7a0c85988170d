// SPDX-License-Identifier: MIT

/// A password while it is typed, byte by byte; a value without IO.
struct PasswordEntry {
    /// How typing ends.
    enum End {
        case complete
        /// Ctrl-D on an empty line.
        case givenUp
        /// Ctrl-C.
        case interrupted
    }

    private var bytes: [UInt8]
    private let limit: Int

    /// `limit`: in bytes; what is typed beyond it is dropped.
    init(limit: Int) {
        self.limit = limit
        bytes = []
        // No copy is left behind by growing.
        bytes.reserveCapacity(limit)
    }

    /// - Returns: `nil` while there is more to come.
    mutating func typed(_ byte: UInt8) -> End? {
        switch byte {
        case 0x0A, 0x0D: return .complete
        case 0x03: return .interrupted
        case 0x04: return bytes.isEmpty ? .givenUp : nil
        case 0x08, 0x7F: removeCharacter()
        case 0x15: removeAll()
        case 0..<0x20: break
        default: if bytes.count < limit { bytes.append(byte) }
        }
        return nil
    }

    /// One whole character: a byte of its own, or a lead byte and those that continue it.
    private mutating func removeCharacter() {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }

    private mutating func removeAll() {
        for index in bytes.indices { bytes[index] = 0 }
        bytes.removeAll(keepingCapacity: true)
    }

    /// - Throws: ``BasicCredentialDiscoveryError/inconsistentState`` if it is not UTF-8.
    func text() throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw BasicCredentialDiscoveryError.inconsistentState }
        return text
    }

    /// Leaves nothing of it in memory; the text that was made of it is the caller's.
    mutating func overwrite() { removeAll() }
}
