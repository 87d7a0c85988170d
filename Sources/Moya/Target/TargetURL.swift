// SPDX-License-Identifier: MIT

import Foundation

extension URL {
    /// The URL of a target: its path appended to its base URL, as `appendingPathComponent(_:)` does.
    public init<T: TargetType>(target: T) {
        let base = target.baseURL
        let path = target.path
        guard !path.isEmpty else {
            self = base
            return
        }
        guard let text = TargetURL.joined(base, path), let url = URL(string: text) else {
            self = base.appendingPathComponent(path)
            return
        }
        self = url
    }
}

/// Joins a base URL and a path without parsing, where the result is certain.
///
/// `appendingPathComponent(_:)` costs more than the rest of making a request together, and almost every target has a plain base URL and a
/// path of unreserved characters.
enum TargetURL {
    /// The text of a target's URL.
    static func text<T: TargetType>(of target: T) -> String {
        let base = target.baseURL
        let path = target.path
        guard !path.isEmpty else { return base.absoluteString }
        return joined(base, path) ?? base.appendingPathComponent(path).absoluteString
    }

    /// The text of `base` with `path` appended, or nil if only Foundation can tell: a base with a query, a fragment or a base of its own,
    /// without an authority, or a path that needs encoding.
    static func joined(_ base: URL, _ path: String) -> String? {
        guard base.baseURL == nil else { return nil }
        var head = base.absoluteString
        var path = path
        return head.withUTF8 { head in
            guard isHierarchical(head) else { return nil }
            return path.withUTF8 { path in isPlain(path) ? joined(head, path) : nil }
        }
    }

    /// With one slash between them.
    private static func joined(_ head: UnsafeBufferPointer<UInt8>, _ path: UnsafeBufferPointer<UInt8>) -> String {
        let headEnd = head.last == slash ? head.count - 1 : head.count
        let pathStart = path.first == slash ? 1 : 0
        return String(unsafeUninitializedCapacity: headEnd + 1 + path.count - pathStart) { text in
            var end = text.initialize(fromContentsOf: head[..<headEnd])
            text.initializeElement(at: end, to: slash)
            end += 1
            return text[end...].initialize(fromContentsOf: path[pathStart...])
        }
    }

    private static let slash = UInt8(ascii: "/")

    /// Whether `text` is `http` or `https`, an authority and a path, and nothing else.
    private static func isHierarchical(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = begins("https://", text) ? 8 : 7
        guard start == 8 || begins("http://", text) else { return false }
        guard start < text.count, text[start] != slash else { return false }
        for index in start..<text.count where text[index] == UInt8(ascii: "?") || text[index] == UInt8(ascii: "#") { return false }
        return true
    }

    private static func begins(_ scheme: StaticString, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= scheme.utf8CodeUnitCount else { return false }
        for index in 0..<scheme.utf8CodeUnitCount where text[index] != scheme.utf8Start[index] { return false }
        return true
    }

    /// Whether each byte stands for itself in a path: unreserved characters, `/` and those sub-delimiters that no system encodes.
    private static func isPlain(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
        path.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                slash, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ","), UInt8(ascii: "="),
                UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "&"):
                true
            default: false
            }
        }
    }
}
