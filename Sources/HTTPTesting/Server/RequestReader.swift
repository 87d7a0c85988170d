// SPDX-License-Identifier: MIT

import Foundation

/// Reads requests off a connection: heads, then content by length or by chunks (RFC 9112, 6 and 7).
struct RequestReader {
    let stream: SocketStream
    let headLimit: Int

    /// Called with each piece of content; throwing ends the exchange.
    typealias Sink = (UnsafeRawBufferPointer) throws(ExchangeEnd) -> Void

    enum Problem: Error {
        case ended(ExchangeEnd)
        case violation(ProtocolViolation)
    }

    /// The next head with its closing empty line; nil when the client closed before it sent a byte of one.
    func readHead() throws(Problem) -> Data? {
        // An empty line before the request line is skipped (RFC 9112, 2.2).
        while true {
            if stream.buffered.count >= 2, stream.buffered[0] == 13, stream.buffered[1] == 10 {
                stream.consume(2)
            } else if stream.buffered.count >= 2 || (stream.buffered.count == 1 && stream.buffered[0] != 13) {
                break
            } else if !stream.fill() {
                if stream.buffered.isEmpty { return nil }
                break
            }
        }
        // Most heads come in one piece; only a larger one is put together.
        var head = Data()
        while true {
            let bytes = stream.buffered
            if head.isEmpty, let end = Self.endOfHead(in: bytes) {
                guard end <= headLimit else { break }
                head = Data(bytes[..<end])
                stream.consume(end)
                return head
            }
            if bytes.count == 64 * 1024 || !head.isEmpty {
                let previous = head.count
                head.append(contentsOf: bytes)
                let end = head.withUnsafeBytes { all in
                    // An end of head that began in what was there before starts with a line's last byte.
                    let start = max(0, previous - 4)
                    return Self.endOfHead(in: UnsafeRawBufferPointer(rebasing: all[start...])).map { $0 + start }
                }
                if let end {
                    guard end <= headLimit else { break }
                    stream.consume(end - previous)
                    return head.prefix(end)
                }
                stream.consume(bytes.count)
            }
            guard head.count + stream.buffered.count <= headLimit else { break }
            // A client that gives up in the middle breaks no rule.
            guard stream.fill() else { throw .ended(.peerGone) }
        }
        throw .violation(ProtocolViolation("the head is longer than \(headLimit) bytes"))
    }

    /// Reads the content that `head` announces; the trailer fields are returned.
    func readBody(_ head: ParsedHead, into sink: Sink) throws(Problem) -> FieldList {
        if head.isChunked { return try readChunks(into: sink) }
        if let length = head.contentLength, length > 0 { try read(length, into: sink) }
        return [:]
    }

    private func readChunks(into sink: Sink) throws(Problem) -> FieldList {
        while true {
            let line = try readLine()
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 32 && $0 != 9 }
            guard !digits.isEmpty, digits.count <= 15 else { throw .violation(ProtocolViolation("a chunk has no size")) }
            var size = 0
            for digit in digits {
                guard let value = FormFields.hexValue(digit) else {
                    throw .violation(ProtocolViolation("a chunk's size is not hexadecimal"))
                }
                size = size << 4 | Int(value)
            }
            if size == 0 { break }
            try read(size, into: sink)
            guard try readLine().isEmpty else { throw .violation(ProtocolViolation("a chunk is longer than its size")) }
        }
        var section = Data()
        while true {
            let line = try readLine()
            if line.isEmpty { break }
            section.append(line)
            section.append(contentsOf: [13, 10])
            guard section.count <= headLimit else { throw .violation(ProtocolViolation("the trailer section is too long")) }
        }
        return section.withUnsafeBytes { HeadParser.fields(inTrailers: $0) }
    }

    private func read(_ count: Int, into sink: Sink) throws(Problem) {
        var missing = count
        while missing > 0 {
            if stream.buffered.isEmpty, !stream.fill() { throw .ended(.peerGone) }
            let piece = UnsafeRawBufferPointer(rebasing: stream.buffered.prefix(missing))
            do throws(ExchangeEnd) { try sink(piece) } catch { throw .ended(error) }
            missing -= piece.count
            stream.consume(piece.count)
        }
    }

    private func readLine() throws(Problem) -> Data {
        while true {
            let bytes = stream.buffered
            if let base = bytes.baseAddress, !bytes.isEmpty, let end = memchr(base, 10, bytes.count) {
                let count = UnsafeRawPointer(end) - base
                guard count > 0, bytes[count - 1] == 13 else { throw .violation(ProtocolViolation("a line ends in LF without CR")) }
                let line = Data(bytes[..<(count - 1)])
                stream.consume(count + 1)
                return line
            }
            guard bytes.count < headLimit, stream.fill() else { throw .ended(.peerGone) }
        }
    }

    /// The offset after the empty line. Lines that end in LF alone count here; the parser then says what is wrong with them.
    static func endOfHead(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var start = 0
        while start < bytes.count, let found = memchr(base + start, 10, bytes.count - start) {
            let offset = UnsafeRawPointer(found) - base
            let isEmptyLine =
                offset == start ? start > 0 : (offset == start + 1 && start > 0 && bytes[start] == 13)
            if isEmptyLine { return offset + 1 }
            start = offset + 1
        }
        return nil
    }
}
