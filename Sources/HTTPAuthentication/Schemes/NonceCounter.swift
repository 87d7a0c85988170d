// SPDX-License-Identifier: MIT

import Synchronization

/// Hands out each `nc` of one nonce once, to any number of threads (RFC 7616, 3.4: a server may take a repeated count for a replay).
package final class NonceCounter: Sendable {
    private let last: Atomic<UInt32>

    package init(last: UInt32 = 0) { self.last = Atomic(last) }

    /// From 1 on.
    /// - Throws: ``HTTPAuthenticationError/nonceExhausted`` when eight hexadecimal digits no longer hold the count.
    package func next() throws(HTTPAuthenticationError) -> UInt32 {
        var current = last.load(ordering: .relaxed)
        while current < .max {
            let (exchanged, original) = last.weakCompareExchange(expected: current, desired: current + 1, ordering: .relaxed)
            if exchanged { return current + 1 }
            current = original
        }
        throw .nonceExhausted
    }
}
