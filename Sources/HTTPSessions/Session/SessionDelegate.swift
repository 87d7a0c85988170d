// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stands where Foundation's session delegate stands in code that makes sessions; the engine does its work.
open class SessionDelegate: NSObject, @unchecked Sendable {  // it has no state of its own
    /// A delegate.
    public override init() {}
}
