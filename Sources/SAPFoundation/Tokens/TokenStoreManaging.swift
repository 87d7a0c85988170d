// SPDX-License-Identifier: MIT

import Foundation

/// Something that keeps secrets and can drop them, as at log-out.
public protocol TokenStoreManaging: AnyObject {
    /// Drops everything.
    func clear()
    /// The OAuth 2.0 token for `url`. Default: `nil`.
    func get(for url: URL) throws -> OAuth2Token?
}

extension TokenStoreManaging {
    /// `nil`.
    public func get(for url: URL) throws -> OAuth2Token? { nil }
}
