// SPDX-License-Identifier: MIT

import Foundation

/// A reader of `multipart/form-data` (RFC 7578, over RFC 2046), strict about boundaries and line ends.
enum MultipartForm {
    struct Part {
        var name: String
        var filename: String?
        var contentType: String?
        var content: Data
    }

    /// The parts of a form; nil if the request carries none or one that is not well formed.
    static func parts(of request: RecordedRequest) -> [Part]? {
        guard let type = request.fields["Content-Type"], type.lowercased().hasPrefix("multipart/form-data"),
            let boundary = Parameters.parse(type.drop { $0 != ";" }.dropFirst())["boundary"], !boundary.isEmpty,
            request.body.count == request.bodyByteCount
        else { return nil }
        let body = request.body
        let delimiter = Data("\r\n--\(boundary)".utf8)
        // The first delimiter needs no line before it.
        guard var position = (Data("\r\n".utf8) + body).range(of: delimiter).map({ $0.upperBound - 2 }) else { return nil }
        var parts: [Part] = []
        while true {
            if body[position...].starts(with: "--".utf8) { return parts }
            guard body[position...].starts(with: "\r\n".utf8) else { return nil }
            position += 2
            guard let headEnd = headEnd(in: body, from: position), let next = body.range(of: delimiter, in: headEnd.content..<body.count),
                let part = part(head: body[position..<headEnd.head], content: Data(body[headEnd.content..<next.lowerBound]))
            else { return nil }
            parts.append(part)
            position = next.upperBound
        }
    }

    private static func headEnd(in body: Data, from position: Int) -> (head: Int, content: Int)? {
        body.range(of: Data("\r\n\r\n".utf8), in: position..<body.count).map { ($0.lowerBound + 2, $0.upperBound) }
    }

    private static func part(head: Data, content: Data) -> Part? {
        let fields = head.withUnsafeBytes { HeadParser.fields(inTrailers: $0) }
        guard let disposition = fields["Content-Disposition"], disposition.lowercased().hasPrefix("form-data") else { return nil }
        let parameters = Parameters.parse(disposition.drop { $0 != ";" }.dropFirst())
        guard let name = parameters["name"] else { return nil }
        return Part(
            name: unescape(name), filename: parameters["filename"].map(unescape), contentType: fields["Content-Type"], content: content)
    }

    /// Form names escape only these three bytes (HTML, "multipart/form-data encoding algorithm").
    private static func unescape(_ text: String) -> String {
        text.replacingOccurrences(of: "%22", with: "\"").replacingOccurrences(of: "%0D", with: "\r")
            .replacingOccurrences(of: "%0A", with: "\n")
    }
}
