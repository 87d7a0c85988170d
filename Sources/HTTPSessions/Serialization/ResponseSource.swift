// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response's head, or how to get it: making an `HTTPURLResponse` costs more than a small request, and many callers never look at it.
package enum ResponseSource: Sendable {
    /// The head is there.
    case made(HTTPURLResponse?)
    /// The closure returns the same head each time.
    case lazy(@Sendable () -> HTTPURLResponse?)

    package var response: HTTPURLResponse? {
        switch self {
        case .made(let response): response
        case .lazy(let make): make()
        }
    }
}
