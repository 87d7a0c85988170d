// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// The request target of a URL in origin-form (RFC 9112, 3.2.1), as Digest's `uri` repeats it and as path prefixes are compared with.
///
/// Dot segments are removed (RFC 3986, 5.2.4), as libcurl does before it sends.
package struct RequestTarget: Sendable, Hashable {
    package let origin: Origin
    package let originForm: String

    /// Nil if `url` is not an absolute http or https URL.
    package init?(_ url: URL) {
        guard let origin = Origin(url: url) else { return nil }
        self.origin = origin
        originForm = Self.originForm(of: url.absoluteString)
    }

    init?(uri: String) {
        guard let url = URL(string: uri) else { return nil }
        self.init(url)
    }

    /// What follows the authority in the absolute URL `text`: path and query, without the fragment; `/` for an empty path.
    static func originForm(of text: String) -> String {
        let bytes = Array(text.utf8)
        var position = 0
        // Past "scheme://authority".
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) { position = colon + 3 }
        while position < bytes.count, !isEndOfAuthority(bytes[position]) { position += 1 }
        var rest = bytes[position...]
        if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
        let query = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        let path = rest[..<query].isEmpty ? [ASCII.slash] : removingDotSegments(rest[..<query])
        return String(decoding: path + rest[query...], as: UTF8.self)
    }

    private static func isEndOfAuthority(_ byte: UInt8) -> Bool {
        byte == ASCII.slash || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// `path` starts with a slash.
    private static func removingDotSegments(_ path: ArraySlice<UInt8>) -> [UInt8] {
        let dot = UInt8(ascii: ".")
        var segments: [ArraySlice<UInt8>] = []
        let all = path.dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false)
        guard all.contains(where: { $0.elementsEqual([dot]) || $0.elementsEqual([dot, dot]) }) else { return Array(path) }
        for (index, segment) in all.enumerated() {
            let isParent = segment.elementsEqual([dot, dot])
            if isParent, !segments.isEmpty { segments.removeLast() }
            if !isParent, !segment.elementsEqual([dot]) {
                segments.append(segment)
            } else if index == all.count - 1 {
                // A dot segment at the end leaves the slash before it.
                segments.append([])
            }
        }
        return [ASCII.slash] + segments.joined(separator: [ASCII.slash])
    }
}
