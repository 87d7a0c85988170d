// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// A request without its body, that neither caches nor touches cookies nor times out: the transport does the one, the session the
    /// others.
    init(_ request: HTTPRequest) {
        self.init(url: request.url.forTask, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.longTime)
        httpMethod = request.method
        httpShouldHandleCookies = false
        var fields: [String: String] = [:]
        fields.reserveCapacity(request.fields.count)
        var names: [String: String] = [:]
        for field in request.fields {
            let lowercased = field.name.lowercased()
            // These two the transport makes itself.
            guard lowercased != "content-length", lowercased != "transfer-encoding" else { continue }
            if let name = names[lowercased], let value = fields[name] {
                fields[name] = value + (lowercased == "cookie" ? "; " : ", ") + field.value
            } else {
                names[lowercased] = field.name
                fields[field.name] = field.value
            }
        }
        allHTTPHeaderFields = fields
    }

    /// 115 days, in seconds: longer than any transfer, and short enough for Foundation's sums in milliseconds and nanoseconds.
    static let longTime: TimeInterval = 10_000_000
}

extension URL {
    /// The URL without its user information, which URLSession would send as credentials, and with the scheme as URLSession knows it.
    fileprivate var forTask: URL {
        let text = absoluteString
        guard text.utf8.contains(UInt8(ascii: "@")) || scheme != scheme?.lowercased() else { return self }
        guard let separator = text.range(of: "://") else { return self }
        let authorityEnd = text[separator.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        let at = text[separator.upperBound..<authorityEnd].lastIndex(of: "@")
        let hostStart = at.map { text.index(after: $0) } ?? separator.upperBound
        return URL(string: text[..<separator.lowerBound].lowercased() + "://" + text[hostStart...]) ?? self
    }
}
