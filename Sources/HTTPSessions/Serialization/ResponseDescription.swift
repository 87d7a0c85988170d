// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The lines that describe a response for debugging. Nothing in them is a secret: URLs come without user info and query, fields without
/// credentials, bodies as their length.
struct ResponseDescription {
    let request: URLRequest?
    let response: HTTPURLResponse?
    let content: String
    let metrics: TransferMetrics?
    let serializationDuration: TimeInterval
    let result: String

    var text: String {
        var lines: [String] = []
        if let request {
            lines.append("[Request]: \(request.httpMethod ?? "GET") \(request.url?.redactedDescription ?? "no URL")")
            lines.append("    [Headers]: \(Self.indented(request.headers))")
            lines.append("    [Body]: \(request.httpBody.map { "\($0.count) bytes" } ?? "none")")
        } else {
            lines.append("[Request]: none")
        }
        if let response {
            lines.append("[Response]:")
            lines.append("    [Status Code]: \(response.statusCode)")
            lines.append("    [Headers]: \(Self.indented(response.headers.sorted()))")
            lines.append("    \(content)")
        } else {
            lines.append("[Response]: none")
        }
        lines.append("[Network Duration]: \(metrics.map { "\($0.total)" } ?? "none")")
        lines.append("[Serialization Duration]: \(serializationDuration)s")
        lines.append("[Result]: \(result)")
        return lines.joined(separator: "\n")
    }

    private static func indented(_ headers: HTTPHeaders) -> String {
        headers.isEmpty ? "none" : headers.map { "\n        \($0)" }.joined()
    }
}
