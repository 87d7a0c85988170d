// SPDX-License-Identifier: MIT

import Foundation

/// What the server needs to know of a request's head (RFC 9112, 2 and 3), found in its bytes.
struct ParsedHead {
    var method: String
    var target: String
    var version: String
    var contentLength: Int?
    var isChunked = false
    var expectsContinue = false
    var closesConnection = false
}

/// A request that breaks HTTP's grammar. The sentence says how.
struct ProtocolViolation: Error {
    var sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}

enum HeadParser {
    /// Parses a head that ends in CR LF CR LF. Stricter than servers are, so that a client's slips come to light.
    static func parse(_ head: UnsafeRawBufferPointer) throws(ProtocolViolation) -> ParsedHead {
        var lines = Lines(head)
        guard let requestLine = try lines.next() else { throw ProtocolViolation("the head is empty") }
        var parsed = try parseRequestLine(requestLine)
        var lengths: [String] = []
        var codings: [String] = []
        var hostCount = 0
        while let line = try lines.next(), !line.isEmpty {
            let (name, value) = try split(line)
            switch name.count {
            case 4 where isSame(name, "host"): hostCount += 1
            case 6 where isSame(name, "expect"): parsed.expectsContinue = isSame(value, "100-continue")
            case 10 where isSame(name, "connection"):
                let options = text(value).lowercased()
                if options.contains("close") { parsed.closesConnection = true }
                if options.contains("keep-alive") { parsed.closesConnection = false }
            case 14 where isSame(name, "content-length"): lengths.append(text(value))
            case 17 where isSame(name, "transfer-encoding"): codings.append(text(value).lowercased())
            default: break
            }
        }
        if parsed.version == "HTTP/1.1", hostCount != 1 { throw ProtocolViolation("\(hostCount) Host fields instead of one") }
        if !codings.isEmpty {
            guard codings == ["chunked"] else { throw ProtocolViolation("the transfer coding is not just chunked") }
            guard lengths.isEmpty else { throw ProtocolViolation("Content-Length beside Transfer-Encoding") }
            parsed.isChunked = true
        }
        guard lengths.count < 2 else { throw ProtocolViolation("\(lengths.count) Content-Length fields") }
        if let length = lengths.first {
            guard !length.isEmpty, length.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(length) else {
                throw ProtocolViolation("Content-Length is not a number")
            }
            parsed.contentLength = value
        }
        return parsed
    }

    /// The fields of a head or of a trailer section, white space around their values removed; lines without a colon are left out.
    static func fields(inHead head: UnsafeRawBufferPointer) -> FieldList {
        var lines = Lines(head)
        _ = try? lines.next()
        return fields(&lines)
    }

    static func fields(inTrailers section: UnsafeRawBufferPointer) -> FieldList {
        var lines = Lines(section)
        return fields(&lines)
    }

    private static func fields(_ lines: inout Lines) -> FieldList {
        var fields = FieldList()
        while let line = try? lines.next() {
            guard let (name, value) = try? split(line) else { continue }
            fields.append(text(name), text(value))
        }
        return fields
    }

    private static func parseRequestLine(_ line: UnsafeRawBufferPointer) throws(ProtocolViolation) -> ParsedHead {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ProtocolViolation("the request line does not have three parts")
        }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw ProtocolViolation("the version is neither HTTP/1.1 nor HTTP/1.0")
        }
        return ParsedHead(
            method: String(decoding: parts[0], as: UTF8.self), target: String(decoding: parts[1], as: UTF8.self), version: version,
            closesConnection: version == "HTTP/1.0")
    }

    private static func split(
        _ line: UnsafeRawBufferPointer
    ) throws(ProtocolViolation) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { throw ProtocolViolation("a field line has no name") }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        guard !name.contains(where: isBlank) else { throw ProtocolViolation("white space in a field name") }
        var value = line[(colon + 1)...]
        while let first = value.first, isBlank(first) { value = value.dropFirst() }
        while let last = value.last, isBlank(last) { value = value.dropLast() }
        guard !value.contains(where: { $0 == 0 || $0 == 13 }) else { throw ProtocolViolation("NUL or CR in a field value") }
        return (name, UnsafeRawBufferPointer(rebasing: value))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Whether `bytes`, in any ASCII case, is `word`, which is lower-case.
    private static func isSame(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        guard bytes.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where (bytes[index] | 0x20) != (word.utf8Start[index] | 0x20) { return false }
        return true
    }

    /// Lines that end in CR LF, found with `memchr`: quick in debug builds, too.
    private struct Lines {
        private var rest: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

        mutating func next() throws(ProtocolViolation) -> UnsafeRawBufferPointer? {
            guard let base = rest.baseAddress, !rest.isEmpty else { return nil }
            guard let end = memchr(base, 10, rest.count) else { throw ProtocolViolation("a line has no end") }
            let count = UnsafeRawPointer(end) - base
            guard count > 0, rest[count - 1] == 13 else { throw ProtocolViolation("a line ends in LF without CR") }
            let line = UnsafeRawBufferPointer(rebasing: rest[..<(count - 1)])
            rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
            return line
        }
    }
}
