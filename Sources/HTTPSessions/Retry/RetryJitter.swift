// SPDX-License-Identifier: MIT

import Foundation
import HTTPMessages

/// How the delays before retries are spread, so that clients that failed together do not come back together.
public struct RetryJitter: Sendable {
    /// Each delay as computed.
    public static let none = RetryJitter { $0 }

    /// Each delay anywhere between 0 and what was computed, with the system's randomness.
    public static let full = RetryJitter { Double.random(in: 0...$0) }

    private let transform: @Sendable (TimeInterval) -> TimeInterval

    private init(_ transform: @escaping @Sendable (TimeInterval) -> TimeInterval) {
        self.transform = transform
    }

    /// ``full`` with randomness from a generator, for tests that need to know the delays. The generator is copied.
    public static func full(using generator: some RandomNumberGenerator & Sendable) -> RetryJitter {
        let generator = Locked(generator)
        return RetryJitter { delay in generator.withLock { .random(in: 0...delay, using: &$0) } }
    }

    func spread(_ delay: TimeInterval) -> TimeInterval {
        transform(delay)
    }
}
