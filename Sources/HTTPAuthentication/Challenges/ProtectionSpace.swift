// SPDX-License-Identifier: MIT

import HTTPMessages

/// Where one set of credentials is valid: an origin *plus* a realm (RFC 9110, 11.5). A proxy's spaces are apart from a server's.
public struct ProtectionSpace: Sendable, Hashable {
    /// The server's origin, or the proxy's.
    public let origin: Origin
    /// As the challenge names it; nil for schemes that know no realm, such as Negotiate.
    public let realm: String?
    /// Whether a proxy asked, with 407, rather than the server, with 401.
    public let isProxy: Bool

    /// The space of `realm` at `origin`.
    public init(origin: Origin, realm: String?, isProxy: Bool = false) {
        self.origin = origin
        self.realm = realm
        self.isProxy = isProxy
    }

    package init(challenger: Challenger, realm: String?) {
        self.init(origin: challenger.origin, realm: realm, isProxy: challenger.isProxy)
    }

    package var challenger: Challenger { isProxy ? .proxy(origin) : .server(origin) }
}
