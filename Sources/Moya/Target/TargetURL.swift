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
        guard base.baseURL == nil, isPlain(path) else { return nil }
        let head = base.absoluteString
        guard isHierarchical(head) else { return nil }
        let pathStartsWithSlash = path.utf8.first == slash
        var text = String()
        text.reserveCapacity(head.utf8.count + path.utf8.count + 1)
        text += head
        switch (head.utf8.last == slash, pathStartsWithSlash) {
        case (true, true): text += path.dropFirst()
        case (true, false), (false, true): text += path
        case (false, false):
            text += "/"
            text += path
        }
        return text
    }

    private static let slash = UInt8(ascii: "/")

    /// Whether `text` is `http` or `https`, an authority and a path, and nothing else.
    private static func isHierarchical(_ text: String) -> Bool {
        var rest = text.utf8[...]
        if rest.starts(with: "https://".utf8) {
            rest = rest.dropFirst(8)
        } else if rest.starts(with: "http://".utf8) {
            rest = rest.dropFirst(7)
        } else {
            return false
        }
        guard let first = rest.first, first != slash else { return false }
        return !rest.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    }

    /// Whether each byte stands for itself in a path: unreserved characters, `/` and those sub-delimiters that no system encodes.
    private static func isPlain(_ path: String) -> Bool {
        path.utf8.allSatisfy { byte in
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
