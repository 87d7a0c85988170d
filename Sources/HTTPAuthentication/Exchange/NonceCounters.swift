// SPDX-License-Identifier: MIT

/// The counter of each Digest nonce lately seen: two requests that are challenged with the same nonce must not both answer with count 1.
struct NonceCounters: Sendable {
    private struct Key: Hashable {
        let space: ProtectionSpace
        let nonce: String
    }

    private let limit: Int
    private var counters: [Key: NonceCounter] = [:]
    private var order: [Key] = []

    init(limit: Int = 64) { self.limit = limit }

    /// A counter that is dropped here lives on in the session that uses it.
    mutating func counter(for nonce: String, in space: ProtectionSpace) -> NonceCounter {
        let key = Key(space: space, nonce: nonce)
        if let known = counters[key] { return known }
        if order.count == limit { counters[order.removeFirst()] = nil }
        let counter = NonceCounter()
        counters[key] = counter
        order.append(key)
        return counter
    }
}
