// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// The key under which stores keep what belongs to a URL's origin.
enum OriginKey {
    /// `scheme://host:port`, the default port spelled out; http and https differ. For other URLs their text without secrets.
    static func key(for url: URL) -> String {
        Origin(url: url).map(text) ?? url.redactedDescription
    }

    static func text(of origin: Origin) -> String {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return "\(origin.scheme)://\(host):\(origin.port)"
    }
}
