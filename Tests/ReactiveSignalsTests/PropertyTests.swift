// SPDX-License-Identifier: MIT

import Foundation
import ReactiveSignals
import Testing

@Suite struct PropertyTests {
    @Test func `a producer sends the value and changes, a signal changes only, both complete with the property`() {
        var property: MutableProperty<Int>? = MutableProperty(1)
        let (produced, _) = property?.producer.recorded() ?? (Recorded<String>(), AnyDisposable())
        let signalled = property?.signal.recorded()

        property?.value = 2
        property?.modify { $0 += 1 }
        #expect(property?.swap(9) == 3)
        property = nil

        #expect(produced.all == ["VALUE 1", "VALUE 2", "VALUE 3", "VALUE 9", "COMPLETED"])
        #expect(signalled?.all == ["VALUE 2", "VALUE 3", "VALUE 9", "COMPLETED"])
    }

    @Test func `a mapped property follows its source without retaining it`() {
        var source: MutableProperty<Int>? = MutableProperty(1)
        weak let released = source
        let mapped = source?.map { $0 * 10 }
        let events = mapped?.producer.recorded().events

        source?.value = 2
        #expect(mapped?.value == 20)
        source = nil

        #expect(released == nil)
        #expect(mapped?.value == 20)
        #expect(events?.all == ["VALUE 10", "VALUE 20", "COMPLETED"])
    }

    @Test func `an observer may set the property that it observes`() {
        let property = MutableProperty(0)
        let seen = Recorded<Int>()
        property.producer.startWithValues { value in
            seen.add(value)
            if value < 3 { property.value = value + 1 }
        }
        #expect(seen.all == [0, 1, 2, 3])
    }

    @Test func `changes from eight threads are seen in the order in which they were made`() {
        let property = MutableProperty(0)
        let seen = Recorded<Int>()
        property.signal.observeValues { seen.add($0) }
        onThreads(8) { _ in
            for _ in 0..<1_000 { property.modify { $0 += 1 } }
        }
        #expect(seen.all == Array(1...8_000))
    }

    @Test func `values are bound until the target's lifetime ends`() {
        let (signal, input) = Signal<Int, Never>.pipe()
        var target: MutableProperty<Int>? = MutableProperty(0)
        weak let released = target
        _ = target.map { $0 <~ signal }

        input.send(value: 5)
        #expect(target?.value == 5)
        target = nil

        #expect(released == nil)
        input.send(value: 6)
    }
}
