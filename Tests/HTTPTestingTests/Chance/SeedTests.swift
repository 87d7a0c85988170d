// SPDX-License-Identifier: MIT

import HTTPTesting
import Testing

struct SeedTests {
    @Test func `a seed fixes the sequence`() {
        var first = SeededGenerator(seed: 1_234_567)
        var second = SeededGenerator(seed: 1_234_567)

        // The reference sequence of SplitMix64 for this seed.
        #expect((0..<3).map { _ in first.next() } == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
        #expect((0..<100).map { _ in Int.random(in: 0..<10, using: &second) }.count { $0 == 3 } < 40)
        #expect(second.seed == 1_234_567)
    }

    @Test func `fresh seeds follow from the first`() {
        #expect(Seeds.fresh(count: 3, from: 7) == Seeds.fresh(count: 5, from: 7).prefix(3).map { $0 })
        #expect(Seeds.fresh(count: 3, from: 7) != Seeds.fresh(count: 3, from: 8))
        #expect(Set(Seeds.fresh(count: 200)).count == 200)
    }
}
