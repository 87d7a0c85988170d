// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
internal import CCurlShim
import Foundation
import HTTPMessages

/// Writes field lines as libcurl's lists take them, into memory that is there already.
///
/// libcurl reads `Name: value` as a field, `Name;` as a field with an empty value, and `Name:` as an order to leave out what it would
/// send by itself.
struct FieldLines {
    private static let suppressions: [StaticString] = ["Accept:", "Accept-Encoding:", "Content-Type:", "Expect:"]
    static let suppressionCount = suppressions.count
    static let suppressionSize = suppressions.reduce(0) { $0 + $1.utf8CodeUnitCount + 1 }

    /// Those of the caller's fields that decide what else must be said.
    private struct Found: OptionSet {
        let rawValue: Int
        static let accept = Found(rawValue: 1)
        static let acceptEncoding = Found(rawValue: 2)
        static let contentType = Found(rawValue: 4)
        static let expect = Found(rawValue: 8)
    }

    private(set) var first: UnsafeMutablePointer<curl_slist>?
    private(set) var firstForProxy: UnsafeMutablePointer<curl_slist>?
    private var last: UnsafeMutablePointer<curl_slist>?
    private var lastForProxy: UnsafeMutablePointer<curl_slist>?
    private var node: UnsafeMutablePointer<curl_slist>
    /// Where the next line begins.
    private(set) var end: UnsafeMutablePointer<UInt8>
    private var found: Found = []

    var hasExpect: Bool { found.contains(.expect) }

    init(nodes: UnsafeMutablePointer<curl_slist>, characters: UnsafeMutablePointer<UInt8>) {
        node = nodes
        end = characters
    }

    /// Writes a field, unless it is one that the transport makes itself; `false` if it must not be sent.
    mutating func append(_ field: HTTPFields.Field, usesProxy: Bool) -> Bool {
        var name = field.name
        var value = field.value
        let start = end
        copy(&name)
        let nameLength = end - start
        guard nameLength > 0, UnsafeBufferPointer(start: start, count: nameLength).allSatisfy(HTTPFields.isTokenByte) else { return false }
        var isForProxy = false
        switch nameLength {
        case 6 where Self.equal(start, "accept"): found.insert(.accept)
        case 6 where Self.equal(start, "expect"): found.insert(.expect)
        case 12 where Self.equal(start, "content-type"): found.insert(.contentType)
        case 15 where Self.equal(start, "accept-encoding"): found.insert(.acceptEncoding)
        case 14 where Self.equal(start, "content-length"), 17 where Self.equal(start, "transfer-encoding"):
            // The body says its length; a second word on it could let a message be read in two ways (RFC 9112, 11.2).
            end = start
            return HTTPFields.isSafeValue(value)
        case 19 where Self.equal(start, "proxy-authorization"): isForProxy = usesProxy
        default: break
        }
        end[0] = UInt8(ascii: ":")
        end[1] = UInt8(ascii: " ")
        let valueStart = end + 2
        end = valueStart
        copy(&value)
        var isEmpty = true
        for byte in UnsafeBufferPointer(start: valueStart, count: end - valueStart) {
            if byte == 0x0D || byte == 0x0A || byte == 0 { return false }
            if byte != 0x20, byte != 0x09 { isEmpty = false }
        }
        if isEmpty {
            end = start + nameLength + 1
            end[-1] = UInt8(ascii: ";")
        }
        finishLine(start, isForProxy: isForProxy)
        return true
    }

    /// Leaves out what libcurl would add and the caller did not ask for.
    mutating func suppressDefaults(shape: PreparedRequest.Shape) {
        if !found.contains(.accept) { suppress(Self.suppressions[0]) }
        if !found.contains(.acceptEncoding) { suppress(Self.suppressions[1]) }
        if shape == .post, !found.contains(.contentType) { suppress(Self.suppressions[2]) }
        if shape == .upload, !found.contains(.expect) { suppress(Self.suppressions[3]) }
    }

    private mutating func suppress(_ line: StaticString) {
        let start = end
        memcpy(end, line.utf8Start, line.utf8CodeUnitCount)
        end += line.utf8CodeUnitCount
        finishLine(start, isForProxy: false)
    }

    private mutating func copy(_ text: inout String) {
        end += text.withUTF8 { bytes in
            if let base = bytes.baseAddress { memcpy(end, base, bytes.count) }
            return bytes.count
        }
    }

    private mutating func finishLine(_ start: UnsafeMutablePointer<UInt8>, isForProxy: Bool) {
        end.pointee = 0
        end += 1
        node.initialize(to: curl_slist(data: UnsafeMutableRawPointer(start).assumingMemoryBound(to: CChar.self), next: nil))
        if isForProxy {
            if let lastForProxy { lastForProxy.pointee.next = node } else { firstForProxy = node }
            lastForProxy = node
        } else {
            if let last { last.pointee.next = node } else { first = node }
            last = node
        }
        node += 1
    }

    private static func equal(_ text: UnsafeMutablePointer<UInt8>, _ name: StaticString) -> Bool {
        for index in 0..<name.utf8CodeUnitCount where HTTPFields.lowercased(text[index]) != name.utf8Start[index] { return false }
        return true
    }
}
#endif
