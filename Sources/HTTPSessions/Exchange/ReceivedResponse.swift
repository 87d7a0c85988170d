// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response's head with the URL that it came from; Foundation's response object is made when somebody first asks for it, and kept.
package final class ReceivedResponse: Sendable {
    package let head: HTTPResponseHead
    package let url: URL
    private let made = AtomicLazyReference<HTTPURLResponse>()

    package init(head: HTTPResponseHead, url: URL) {
        self.head = head
        self.url = url
    }

    package var status: Int { head.status }

    /// The same object at every call.
    package var urlResponse: HTTPURLResponse {
        made.load() ?? made.storeIfNil(HTTPURLResponse(head, url: url))
    }
}

extension HTTPURLResponse {
    /// Foundation's form of a head: fields that occur more than once are joined by `", "` (RFC 9110, 5.3).
    convenience init(_ head: HTTPResponseHead, url: URL) {
        var fields: [String: String] = [:]
        var spelling: [String: String] = [:]
        for field in head.fields {
            let key = spelling[field.name.lowercased()] ?? field.name
            if let value = fields[key] {
                fields[key] = "\(value), \(field.value)"
            } else {
                fields[key] = field.value
                spelling[field.name.lowercased()] = field.name
            }
        }
        // The initialiser can fail only for a URL that is none.
        self.init(url: url, statusCode: head.status, httpVersion: head.version.rawValue, headerFields: fields)!
    }
}
