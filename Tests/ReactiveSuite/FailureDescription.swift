// SPDX-License-Identifier: MIT

import Foundation
import Moya

/// A failure as Foundation sees it.
package struct FailureDescription: Hashable, Sendable {
    /// Whether the stream's error is a `MoyaError`, which only some libraries say in its type.
    package let isMoyaError: Bool
    package let domain: String
    package let code: Int
    package let message: String?
    /// What the user info has under `"data"`.
    package let data: Data?
    package let hasUnderlyingError: Bool
    /// The response that the `MoyaError` speaks of.
    package let responseStatus: Int?

    package init(_ error: any Error) {
        let bridged = error as NSError
        isMoyaError = error is MoyaError
        domain = bridged.domain
        code = bridged.code
        message = bridged.userInfo[NSLocalizedDescriptionKey] as? String
        data = bridged.userInfo["data"] as? Data
        hasUnderlyingError = bridged.userInfo[NSUnderlyingErrorKey] is any Error
        responseStatus = (error as? MoyaError)?.response?.statusCode
    }
}
