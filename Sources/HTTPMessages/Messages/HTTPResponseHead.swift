// SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A response's control data and header section, kept as the bytes that arrived until somebody asks for a field.
public struct HTTPResponseHead: Sendable {
    /// The three-digit status code.
    public let status: Int
    /// The version that the message was sent with.
    public let version: HTTPVersion
    /// The field lines, each `name ":" value` and ended by LF or CRLF; without the status line and the empty line behind them.
    package let fieldLines: [UInt8]

    /// A head over field lines as they stood on the wire.
    package init(status: Int, version: HTTPVersion, fieldLines: [UInt8]) {
        self.status = status
        self.version = version
        self.fieldLines = fieldLines
    }

    /// A head of the given fields.
    public init(status: Int, version: HTTPVersion = .http1_1, fields: HTTPFields = HTTPFields()) {
        var lines: [UInt8] = []
        for field in fields {
            lines.append(contentsOf: field.name.utf8)
            lines.append(UInt8(ascii: ":"))
            lines.append(UInt8(ascii: " "))
            lines.append(contentsOf: field.value.utf8)
            lines.append(0x0D)
            lines.append(0x0A)
        }
        self.init(status: status, version: version, fieldLines: lines)
    }

    /// Whether the status is 1xx: another head follows.
    public var isInterim: Bool { 100..<200 ~= status }

    /// The header section, made anew from the bytes at each call.
    ///
    /// Bytes that are not UTF-8 are read as ISO 8859-1, as obs-text has always been (RFC 9110, 5.5).
    public var fields: HTTPFields {
        var fields = HTTPFields()
        forEachField { name, value in
            fields.append(name: Self.text(name), value: Self.text(value))
            return true
        }
        return fields
    }

    /// The first value of `name`; only the bytes are searched, nothing else is built.
    public func value(for name: String) -> String? {
        var found: String?
        forEachField { fieldName, value in
            guard Self.equal(fieldName, name) else { return true }
            found = Self.text(value)
            return false
        }
        return found
    }

    /// Every value of `name`, in order.
    public func values(for name: String) -> [String] {
        var found: [String] = []
        forEachField { fieldName, value in
            if Self.equal(fieldName, name) { found.append(Self.text(value)) }
            return true
        }
        return found
    }

    /// Calls `body` with the bytes of each field's name and value until it answers `false`. A line without a colon is passed over.
    private func forEachField(_ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool) {
        fieldLines.withUnsafeBufferPointer { bytes in
            var rest = bytes
            while let line = Self.cut(&rest, before: 0x0A) {
                var value = line
                guard let name = Self.cut(&value, before: UInt8(ascii: ":")), name.count < line.count else { continue }
                while let first = value.first, Self.isSpace(first) { value = .init(rebasing: value.dropFirst()) }
                while let last = value.last, Self.isSpace(last) { value = .init(rebasing: value.dropLast()) }
                if !body(name, value) { return }
            }
        }
    }

    /// Takes what stands before the next `end`, or everything, off the front of `bytes`; nil if there is nothing.
    private static func cut(_ bytes: inout UnsafeBufferPointer<UInt8>, before end: UInt8) -> UnsafeBufferPointer<UInt8>? {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return nil }
        let length = memchr(base, Int32(end), bytes.count).map { UnsafeRawPointer(base).distance(to: $0) } ?? bytes.count
        defer { bytes = .init(rebasing: bytes.dropFirst(length + 1)) }
        return .init(start: base, count: length)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    private static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ name: String) -> Bool {
        guard bytes.count == name.utf8.count else { return false }
        var name = name
        return name.withUTF8 { HTTPFields.equal(bytes, $0) }
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

extension HTTPResponseHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The version, the status and the fields, `Set-Cookie` redacted.
    public var description: String { "\(version.rawValue) \(status)\n\(fields.description)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Shows what ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["status": status, "fields": fields.description]) }
}
