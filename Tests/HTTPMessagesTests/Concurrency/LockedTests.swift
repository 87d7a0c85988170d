// SPDX-License-Identifier: MIT

import HTTPMessages
import Testing

struct LockedTests {
    private final class Counted {
        let onDeinit: () -> Void
        init(onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
        deinit { onDeinit() }
    }

    /// Many rounds, since a value released twice fails only when its memory has been given to another.
    @Test func `a value is released once, with its lock`() {
        var releases = 0
        for round in 0..<1_000 {
            do {
                let lock = Locked([Counted { releases += 1 }])
                #expect(lock.withLock { $0.count } == 1)
                #expect(releases == round)
            }
            #expect(releases == round + 1)
        }
    }

    @Test func `one thread at a time changes the value`() async {
        let lock = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 { lock.withLock { $0 += 1 } }
                }
            }
        }

        #expect(lock.withLock { $0 } == 8_000)
    }
}
