// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// What of a request goes into its credentials.
package struct AuthenticatedRequest: Sendable {
    /// Hashes the content for Digest's `auth-int`; no content counts as empty content.
    package typealias ContentHash = @Sendable (HashFunction) throws -> [UInt8]

    package var method: String
    /// The request target as it stands on the request line: `/path?query`, or `host:port` for CONNECT.
    package var target: String
    /// Nil if the content cannot be read more than once.
    package var contentHash: ContentHash?

    package init(method: String, target: String, contentHash: ContentHash? = nil) {
        self.method = method
        self.target = target
        self.contentHash = contentHash
    }

    /// A request for `url` in origin-form; also right for a plain-http proxy, whose servers compare path and query only.
    package init(method: String, url: URL, contentHash: ContentHash? = nil) {
        self.init(method: method, target: RequestTarget.originForm(of: url.absoluteString), contentHash: contentHash)
    }
}
