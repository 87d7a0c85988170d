// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// The process's one ``TokenStoreManaging``, for code that has no other way to it.
public class TokenStoreManager: @unchecked Sendable {  // what changes is behind `current`
    private struct Reference: @unchecked Sendable {  // called outside the lock, on the caller's thread, as the protocol's users agree
        let manager: any TokenStoreManaging
    }

    /// The process's one.
    public static let shared = TokenStoreManager()

    private let current = Locked<Reference?>(nil)

    init() {}

    /// Replaces the manager, which is held.
    public func set(tokenStoreManaging: any TokenStoreManaging) {
        var replaced: Reference? = Reference(manager: tokenStoreManaging)
        // Let go of where no lock is held.
        current.withLock { swap(&$0, &replaced) }
    }

    /// Has the manager drop everything; without one nothing happens.
    public func clear() { current.withLock { $0 }?.manager.clear() }

    /// The manager's token for `url`; without one `nil`.
    public func get(for url: URL) throws -> OAuth2Token? { try current.withLock { $0 }?.manager.get(for: url) }
}
