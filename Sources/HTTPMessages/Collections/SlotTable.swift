// SPDX-License-Identifier: MIT

/// Elements under small numbers that are used again once an element is gone: what joins and leaves all the time is found without hashing.
@usableFromInline
@frozen
package struct SlotTable<Element: AnyObject> {
    @usableFromInline
    var elements: [Element?] = []
    @usableFromInline
    var free: [Int] = []

    @inlinable
    package init() {}

    /// How many elements there are.
    @inlinable
    package var count: Int { elements.count - free.count }

    /// All elements there are.
    @inlinable
    package var all: [Element] { elements.compactMap { $0 } }

    @inlinable
    package subscript(slot: Int) -> Element? { elements[slot] }

    /// The number that `element` has until it is removed.
    @inlinable
    package mutating func insert(_ element: Element) -> Int {
        if let slot = free.popLast() {
            elements[slot] = element
            return slot
        }
        elements.append(element)
        return elements.count - 1
    }

    @inlinable
    package mutating func remove(_ slot: Int) {
        assert(elements[slot] != nil, "an element is removed once")
        elements[slot] = nil
        free.append(slot)
    }
}
