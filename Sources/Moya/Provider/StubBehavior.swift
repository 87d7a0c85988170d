// SPDX-License-Identifier: MIT

import Foundation

/// Whether a request is answered by its target's sample, and when. Nothing is sent for a stub.
public enum StubBehavior: Sendable {
    /// The request is sent.
    case never

    /// The sample is delivered at once: on the callback queue or, without one, before `request` returns.
    case immediate

    /// The sample is delivered after this many seconds: on the callback queue or, without one, on the main queue.
    case delayed(seconds: TimeInterval)
}
