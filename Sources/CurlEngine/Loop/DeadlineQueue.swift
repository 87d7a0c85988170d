// SPDX-License-Identifier: MIT

#if Curl && os(Linux)

/// Points in time, at most one for each slot, the earliest at hand: a binary heap that knows where each slot's entry is.
///
/// A slot is a small number that its user hands out; setting a later time than all others, as a new transfer does, costs no search.
struct DeadlineQueue {
    private struct Entry {
        var time: UInt64
        var slot: Int
    }

    private var heap: [Entry] = []
    /// The place in the heap of each slot's entry, -1 for none.
    private var places: [Int] = []

    /// A time to look at what is due at `time`, less than a 128th of the wait later. The times of thousands of transfers become few, and
    /// there is little to sort.
    static func rounded(_ time: UInt64, from now: UInt64) -> UInt64 {
        guard time > now else { return time }
        let grain = (time - now) / 128
        return grain < 2 ? time : time | .max >> UInt64(grain.leadingZeroBitCount + 1)
    }

    /// The earliest time, in nanoseconds.
    var earliest: UInt64? { heap.first?.time }

    /// The time that is set for `slot`.
    subscript(slot: Int) -> UInt64? {
        slot < places.count && places[slot] >= 0 ? heap[places[slot]].time : nil
    }

    /// Sets or replaces the time of `slot`.
    mutating func set(_ time: UInt64, for slot: Int) {
        while places.count <= slot { places.append(-1) }
        let place = places[slot]
        guard place >= 0 else {
            heap.append(Entry(time: time, slot: slot))
            places[slot] = heap.count - 1
            return moveUp(heap.count - 1)
        }
        let isEarlier = time < heap[place].time
        heap[place].time = time
        if isEarlier { moveUp(place) } else { moveDown(place) }
    }

    /// Forgets the time of `slot`, if there is one.
    mutating func remove(_ slot: Int) {
        guard slot < places.count, places[slot] >= 0 else { return }
        let place = places[slot]
        places[slot] = -1
        let last = heap.removeLast()
        guard place < heap.count else { return }
        let isEarlier = last.time < heap[place].time
        heap[place] = last
        places[last.slot] = place
        if isEarlier { moveUp(place) } else { moveDown(place) }
    }

    /// Takes out a slot whose time is not later than `now`.
    mutating func popDue(_ now: UInt64) -> Int? {
        guard let first = heap.first, first.time <= now else { return nil }
        remove(first.slot)
        return first.slot
    }

    private mutating func moveUp(_ start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[place].time < heap[parent].time else { return }
            exchange(place, parent)
            place = parent
        }
    }

    private mutating func moveDown(_ start: Int) {
        var place = start
        while true {
            var least = place
            for child in (2 * place + 1)...(2 * place + 2) where child < heap.count && heap[child].time < heap[least].time {
                least = child
            }
            guard least != place else { return }
            exchange(place, least)
            place = least
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        places[heap[one].slot] = one
        places[heap[other].slot] = other
    }
}
#endif
