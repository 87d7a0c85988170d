// SPDX-License-Identifier: MIT

import Foundation
import URLSessionEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The delegate of a `URLSession` that a ``Session`` runs on; over other engines it stands where code expects one.
///
/// One delegate serves one session. A subclass may override the delegate methods for tasks of its own, and must call `super` for all
/// others. To answer challenges, over any engine, give the session a ``ChallengeHandler``.
open class SessionDelegate: URLSessionTransportDelegate, @unchecked Sendable {  // it has no state of its own
    /// A delegate.
    public override init() { super.init() }
}
