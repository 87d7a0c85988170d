// SPDX-License-Identifier: MIT

import Foundation

/// The common face of this module's errors. None of them shows a password, a token, a cookie or a credentials field.
public protocol SAPError: Error, LocalizedError, CustomStringConvertible, CustomDebugStringConvertible {}

extension SAPError {
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var failureReason: String? { description }
}
