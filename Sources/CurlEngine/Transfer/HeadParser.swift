// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import HTTPMessages

/// Makes heads of the lines that libcurl's header callback brings, and looks at what libcurl does not.
///
/// libcurl lets pass Content-Length fields that contradict each other or stand beside Transfer-Encoding, which is how one message is
/// passed off as two (RFC 9112, 6.3 and 11.2).
struct HeadParser {
    enum Event: Equatable {
        case incomplete
        /// A head is complete; ``takeHead()`` has it.
        case head
        case trailer
        case tooLarge
        case conflictingContentLength
        case malformed
    }

    private enum Section { case none, head, complete }

    /// What a head says about its content.
    private(set) var contentLength: Int64?
    private(set) var hasTransferCoding = false
    private(set) var hasContentCoding = false
    private(set) var status = 0
    /// Field lines behind the content.
    private(set) var trailerLines: [UInt8] = []
    private let limit: Int
    private var byteCount = 0
    private var section = Section.none
    private var spokenVersion = HTTPVersion.http1_1
    private var lines: [UInt8] = []
    private var framingFieldIsLast = false

    /// - Parameter limit: of all heads and trailers together, in bytes.
    init(limit: Int) { self.limit = limit }

    /// Takes in a line with its line break: a status line, a field line or the empty line at the end.
    mutating func append(_ line: UnsafeBufferPointer<UInt8>) -> Event {
        byteCount += line.count
        guard byteCount <= limit else { return .tooLarge }
        if Self.isStatusLine(line) { return beginHead(line) }
        let isEmpty = line.isEmpty || line[0] == 0x0A || (line[0] == 0x0D && line.count <= 2)
        switch section {
        case .none: return .malformed
        case .head:
            guard !isEmpty else {
                section = .complete
                return .head
            }
            return appendField(line)
        case .complete:
            // Behind an interim head comes another one; libcurl also takes it for one where it begins with "http/".
            if 100..<200 ~= status, status != 101 { return .malformed }
            if !isEmpty { trailerLines.append(contentsOf: line) }
            return .trailer
        }
    }

    /// The version that was spoken, if a head has arrived.
    var version: HTTPVersion? { section == .none ? nil : spokenVersion }

    /// Whether a head has begun and is not complete.
    var isReading: Bool { section == .head }

    /// The head that was completed last.
    mutating func takeHead() -> HTTPResponseHead {
        defer { lines = [] }
        return HTTPResponseHead(status: status, version: spokenVersion, fieldLines: lines)
    }

    private mutating func beginHead(_ line: UnsafeBufferPointer<UInt8>) -> Event {
        section = .head
        lines.removeAll(keepingCapacity: true)
        lines.reserveCapacity(512)
        contentLength = nil
        hasTransferCoding = false
        hasContentCoding = false
        framingFieldIsLast = false
        guard let space = line.firstIndex(of: 0x20), space + 3 < line.count else { return .malformed }
        status = 0
        for digit in line[(space + 1)..<(space + 4)] {
            guard digit &- 0x30 < 10 else { return .malformed }
            status = status * 10 + Int(digit - 0x30)
        }
        switch (line[5], space) {
        case (UInt8(ascii: "1"), 8): spokenVersion = line[7] == UInt8(ascii: "0") ? .http1_0 : .http1_1
        case (UInt8(ascii: "2"), _): spokenVersion = .http2
        case (UInt8(ascii: "3"), _): spokenVersion = .http3
        default: return .malformed
        }
        return .incomplete
    }

    private mutating func appendField(_ line: UnsafeBufferPointer<UInt8>) -> Event {
        if line[0] == 0x20 || line[0] == 0x09 { return unfold(line) }
        framingFieldIsLast = false
        lines.append(contentsOf: line)
        switch HTTPFields.lowercased(line[0]) {
        case UInt8(ascii: "c"):
            if let value = Self.value(of: "content-length", in: line) {
                framingFieldIsLast = true
                return noteContentLength(value)
            }
            if let value = Self.value(of: "content-encoding", in: line), !Self.isIdentity(value) { hasContentCoding = true }
        case UInt8(ascii: "t"):
            if Self.value(of: "transfer-encoding", in: line) != nil {
                framingFieldIsLast = true
                hasTransferCoding = true
                if contentLength != nil { return .conflictingContentLength }
            }
        default: break
        }
        return .incomplete
    }

    /// A line that continues the one before (obs-fold) becomes a space, as RFC 9112, 5.2, has a user agent do.
    private mutating func unfold(_ line: UnsafeBufferPointer<UInt8>) -> Event {
        guard !framingFieldIsLast else { return .conflictingContentLength }
        guard !lines.isEmpty else { return .malformed }
        while let last = lines.last, last == 0x0A || last == 0x0D { lines.removeLast() }
        lines.append(0x20)
        lines.append(contentsOf: line.drop { $0 == 0x20 || $0 == 0x09 })
        return .incomplete
    }

    /// A list of equal lengths counts as one (RFC 9110, 8.6); anything else but a number is refused.
    private mutating func noteContentLength(_ value: UnsafeBufferPointer<UInt8>.SubSequence) -> Event {
        if hasTransferCoding { return .conflictingContentLength }
        for element in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            var length: Int64 = 0
            let digits = Self.trimmed(element)
            guard !digits.isEmpty else { return .conflictingContentLength }
            for digit in digits {
                let (product, overflows) = length.multipliedReportingOverflow(by: 10)
                guard digit &- 0x30 < 10, !overflows, product <= .max - 9 else { return .conflictingContentLength }
                length = product + Int64(digit - 0x30)
            }
            if let contentLength, contentLength != length { return .conflictingContentLength }
            contentLength = length
        }
        return .incomplete
    }

    static func isStatusLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        line.count > 8 && line[0] == UInt8(ascii: "H") && line[1] == UInt8(ascii: "T") && line[2] == UInt8(ascii: "T")
            && line[3] == UInt8(ascii: "P") && line[4] == UInt8(ascii: "/")
    }

    private static func value(of name: StaticString, in line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>.SubSequence? {
        let length = name.utf8CodeUnitCount
        guard line.count > length, line[length] == UInt8(ascii: ":") else { return nil }
        for index in 0..<length where HTTPFields.lowercased(line[index]) != name.utf8Start[index] { return nil }
        return trimmed(line[(length + 1)...])
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> UnsafeBufferPointer<UInt8>.SubSequence {
        var bytes = bytes
        while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }

    private static func isIdentity(_ value: UnsafeBufferPointer<UInt8>.SubSequence) -> Bool {
        value.isEmpty || value.elementsEqual("identity".utf8) { HTTPFields.lowercased($0) == $1 }
    }
}
#endif
