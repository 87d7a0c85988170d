// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPResponseHead {
    /// The head that Foundation has parsed.
    ///
    /// Foundation keeps fields in a dictionary: their order is lost, fields of one name come joined by commas, and the version is
    /// not told; it is given as HTTP/1.1. `Set-Cookie`, the one field that must not be joined (RFC 9110, 5.3), is taken apart again.
    init(_ response: HTTPURLResponse) {
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            guard HTTPFields.equal(name, "set-cookie") else {
                fields.append(name: name, value: value)
                continue
            }
            for cookie in JoinedCookies.split(value) { fields.append(name: name, value: cookie) }
        }
        self.init(status: response.statusCode, fields: fields)
    }

    /// What is wrong with the lengths that this head declares (RFC 9112, 6.3), if Foundation let it pass.
    var lengthFault: String? {
        var lengths: [String] = []
        for value in values(for: "Content-Length") {
            lengths += value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard let first = lengths.first else { return nil }
        guard let length = Int64(first), length >= 0, lengths.allSatisfy({ Int64($0) == length }) else {
            return "its Content-Length fields contradict each other or are no numbers"
        }
        return value(for: "Transfer-Encoding") == nil ? nil : "it has a Content-Length beside a Transfer-Encoding"
    }

    /// The length of the content as it will be delivered; `nil` if unknown or if a content coding is undone.
    var declaredLength: Int64? {
        hasContentCoding ? nil : value(for: "Content-Length").flatMap { Int64($0) }
    }

    /// Whether the content comes in a coding that Foundation undoes by itself.
    var hasContentCoding: Bool {
        guard let coding = value(for: "Content-Encoding") else { return false }
        return !coding.isEmpty && coding.lowercased() != "identity"
    }
}

/// Takes joined `Set-Cookie` values apart.
enum JoinedCookies {
    /// Splits at those commas behind which a cookie's name and `=` stand; a comma in a date or a quoted value is followed by neither.
    static func split(_ joined: String) -> [String] {
        var cookies: [String] = []
        var start = joined.startIndex
        var searchStart = start
        while let comma = joined[searchStart...].firstIndex(of: ",") {
            let next = joined.index(after: comma)
            if startsWithCookie(joined[next...]) {
                cookies.append(trimmed(joined[start..<comma]))
                start = next
            }
            searchStart = next
        }
        cookies.append(trimmed(joined[start...]))
        return cookies.filter { !$0.isEmpty }
    }

    private static func startsWithCookie(_ text: Substring) -> Bool {
        let text = text.drop { $0 == " " }
        guard let end = text.firstIndex(where: { "=,; ".contains($0) }), text[end] == "=" else { return false }
        return HTTPFields.isToken(String(text[..<end]))
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
