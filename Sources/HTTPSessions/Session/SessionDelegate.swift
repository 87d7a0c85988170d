// SPDX-License-Identifier: MIT

import Foundation
import URLSessionEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stands where Foundation's session delegate stands in code that makes sessions. A `URLSession` that a ``Session`` is to run on must have been made with
/// one; otherwise the engine does its work.
open class SessionDelegate: URLSessionTransportDelegate, @unchecked Sendable {  // it has no state of its own
    /// A delegate, for one session.
    public override init() { super.init() }
}
