// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPRequest {
    /// The message that `request` describes; `nil` if it has no URL.
    /// - Parameter body: what is sent instead of the request's own body.
    init?(_ request: URLRequest, body: HTTPBody? = nil) {
        guard let url = request.url else { return nil }
        var fields = HTTPFields()
        if let dictionary = request.allHTTPHeaderFields {
            fields.reserveCapacity(dictionary.count + 4)
            // The transport knows how long the body is, and frames it.
            for (name, value) in dictionary where !Self.isFraming(name) {
                fields.append(name: name, value: value)
            }
        }
        let body =
            body ?? request.httpBody.map { HTTPBody($0) } ?? request.httpBodyStream.map { HTTPBody($0, length: request.streamLength) }
        self.init(method: request.httpMethod ?? "GET", url: url, fields: fields, body: body)
    }

    private static func isFraming(_ name: String) -> Bool {
        HTTPFields.equal(name, "Content-Length") || HTTPFields.equal(name, "Transfer-Encoding")
    }
}

extension URLRequest {
    /// How long the caller says that a stream is.
    package var streamLength: Int64? { value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil } }

    /// Foundation's form of a message; its body only if it is in memory.
    init(_ message: HTTPRequest) {
        self.init(url: message.url)
        httpMethod = message.method
        allHTTPHeaderFields = Dictionary(message.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        if case .segments(let segments) = message.body?.source, segments.count == 1, case .data(let data) = segments[0] {
            httpBody = data
        }
    }
}
