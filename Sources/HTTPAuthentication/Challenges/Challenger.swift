// SPDX-License-Identifier: MIT

import HTTPMessages

/// Who asks for credentials; it decides the status and the fields (RFC 9110, 11.6 and 11.7).
package enum Challenger: Sendable, Hashable {
    case server(Origin)
    case proxy(Origin)

    package var origin: Origin {
        switch self {
        case .server(let origin), .proxy(let origin): origin
        }
    }

    package var isProxy: Bool {
        if case .proxy = self { true } else { false }
    }

    package var status: Int { isProxy ? 407 : 401 }
    package var challengeFieldName: String { isProxy ? "Proxy-Authenticate" : "WWW-Authenticate" }
    package var credentialsFieldName: String { isProxy ? "Proxy-Authorization" : "Authorization" }
    var informationFieldName: String { isProxy ? "Proxy-Authentication-Info" : "Authentication-Info" }
}
