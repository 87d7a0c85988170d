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

    /// The CONNECT request by which a proxy is asked for a tunnel to `origin`; its target is in authority-form (RFC 9112, 3.2.3).
    package init(tunnelTo origin: Origin) {
        let host = origin.host.utf8.contains(UInt8(ascii: ":")) ? "[\(origin.host)]" : origin.host
        self.init(method: "CONNECT", target: "\(host):\(origin.port)")
    }
}
