// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPRequest {
    /// Does what `policy` asks for, to a session without a cache: tells the caches on the way (RFC 9111, 5.2.1), unless the caller has.
    /// - Throws: `AFError.sessionTaskFailed` around `URLError.resourceUnavailable` if only a stored response would do.
    mutating func honour(_ policy: URLRequest.CachePolicy) throws {
        switch policy {
        case .reloadIgnoringLocalAndRemoteCacheData: tellCaches("no-cache")
        case .reloadRevalidatingCacheData: tellCaches("max-age=0")
        case .returnCacheDataDontLoad:
            let reason = "\(redactedDescription) may be answered by a stored response only, and responses are not stored"
            throw AFError.sessionTaskFailed(error: URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: reason]))
        default: break
        }
    }

    private mutating func tellCaches(_ directive: String) {
        if !fields.contains(name: "Cache-Control") { fields.append(name: "Cache-Control", value: directive) }
    }
}
