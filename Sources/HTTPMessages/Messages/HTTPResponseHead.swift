// SPDX-License-Identifier: MIT

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
    private func forEachField(_ body: (UnsafeBufferPointer<UInt8>.SubSequence, UnsafeBufferPointer<UInt8>.SubSequence) -> Bool) {
        fieldLines.withUnsafeBufferPointer { bytes in
            var lineStart = 0
            while lineStart < bytes.count {
                let lineEnd = bytes[lineStart...].firstIndex(of: 0x0A) ?? bytes.count
                if let colon = bytes[lineStart..<lineEnd].firstIndex(of: UInt8(ascii: ":")) {
                    var start = colon + 1
                    var end = lineEnd
                    while start < end, Self.isSpace(bytes[start]) { start += 1 }
                    while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
                    if !body(bytes[lineStart..<colon], bytes[start..<end]) { return }
                }
                lineStart = lineEnd + 1
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    private static func equal(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence, _ name: String) -> Bool {
        let name = name.utf8
        guard bytes.count == name.count else { return false }
        return zip(bytes, name).allSatisfy { HTTPFields.lowercased($0) == HTTPFields.lowercased($1) }
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> String {
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
