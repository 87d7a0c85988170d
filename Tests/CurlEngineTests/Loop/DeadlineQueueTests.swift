// SPDX-License-Identifier: MIT

#if Curl && os(Linux)
import HTTPTesting
import Testing

@testable import CurlEngine

struct DeadlineQueueTests {
    @Test func `due slots come in the order of their times`() {
        var queue = DeadlineQueue()
        queue.set(30, for: 0)
        queue.set(10, for: 1)
        queue.set(20, for: 2)

        #expect(queue.earliest == 10)
        #expect(queue.popDue(25) == 1)
        #expect(queue.popDue(25) == 2)
        #expect(queue.popDue(25) == nil)
        #expect(queue.earliest == 30)
    }

    @Test func `a slot has one time, the last one set`() {
        var queue = DeadlineQueue()
        queue.set(10, for: 3)
        queue.set(50, for: 3)
        #expect(queue.popDue(40) == nil)
        queue.set(5, for: 3)
        #expect(queue.popDue(40) == 3)
        #expect(queue.popDue(.max) == nil)
    }

    @Test(arguments: [0, 1, 127, 255, 256, 1_000_000, 60_000_000_000, UInt64.max / 2])
    func `a rounded time is never earlier, and late by less than a 128th of the wait`(wait: UInt64) {
        for now in [0, 1, 12_345_678_901, UInt64.max / 2] as [UInt64] {
            let rounded = DeadlineQueue.rounded(now + wait, from: now)
            #expect(rounded >= now + wait)
            #expect(rounded - (now + wait) <= wait / 128)
        }
        #expect(DeadlineQueue.rounded(5, from: 9) == 5)
    }

    @Test func `the times of transfers that began together are one`() {
        let minute: UInt64 = 60_000_000_000
        let times = (0..<4096 as Range<UInt64>).map { DeadlineQueue.rounded($0 * 1000 + minute, from: $0 * 1000) }

        #expect(Set(times).count <= 2)
    }

    @Test(arguments: Seeds.kept + Seeds.fresh(count: 50))
    func `it agrees with a plain list whatever happens`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = DeadlineQueue()
        var list: [Int: UInt64] = [:]
        for _ in 0..<300 {
            let slot = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let time = UInt64.random(in: 0..<100, using: &random)
                queue.set(time, for: slot)
                list[slot] = time
            case 2:
                queue.remove(slot)
                list[slot] = nil
            default:
                let now = UInt64.random(in: 0..<100, using: &random)
                let due = queue.popDue(now)
                #expect((due == nil) == !list.values.contains { $0 <= now })
                if let due {
                    #expect(list[due] == list.values.min())
                    list[due] = nil
                }
            }
            #expect(queue.earliest == list.values.min())
            #expect(queue[slot] == list[slot])
        }
    }
}
#endif
