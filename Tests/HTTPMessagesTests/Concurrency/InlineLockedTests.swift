// SPDX-License-Identifier: MIT

import HTTPMessages
import Testing

struct InlineLockedTests {
    private final class Counter: Sendable {
        let count: InlineLocked<Int>
        /// Not thread-safe by itself: ThreadSanitizer sees whether the lock orders its uses.
        let list = InlineLocked<[Int]>([])

        init(_ count: Int) { self.count = InlineLocked(count) }
    }

    private final class Counted {
        let onDeinit: () -> Void
        init(onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
        deinit { onDeinit() }
    }

    private struct Refusal: Error {}

    @Test func `a value is released once, with its lock`() {
        var releases = 0
        for round in 0..<1_000 {
            do {
                let lock = InlineLocked([Counted { releases += 1 }])
                #expect(lock.withLock { $0.count } == 1)
                #expect(releases == round)
            }
            #expect(releases == round + 1)
        }
    }

    /// Enough at a time for the lock to be held when others want it, where `Synchronization.Mutex` leaves its inlined way.
    @Test func `one thread at a time changes the value`() async {
        let counter = Counter(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for number in 0..<10_000 {
                        counter.count.withLock { $0 += 1 }
                        counter.list.withLock { list in
                            list.append(number)
                            if list.count > 100 { list.removeAll() }
                        }
                    }
                }
            }
        }

        #expect(counter.count.withLock { $0 } == 80_000)
    }

    @Test func `what the body throws passes, and the lock is free again`() {
        let lock = InlineLocked(1)
        #expect(throws: Refusal.self) {
            try lock.withLock { value throws(Refusal) in
                value = 2
                throw Refusal()
            }
        }
        #expect(lock.withLock { $0 } == 2)
    }
}
