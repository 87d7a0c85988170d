// SPDX-License-Identifier: MIT

/// Numbers that look random and follow from a seed alone, so that a failure can be replayed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed that it began with; print it with a failure.
    public let seed: UInt64
    private var state: UInt64

    /// A generator whose whole sequence follows from `seed`.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
