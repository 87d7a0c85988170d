// SPDX-License-Identifier: MIT

#if Curl && os(Linux)

/// Elements under small numbers that are used again once an element is gone.
struct SlotTable<Element: AnyObject> {
    private var elements: [Element?] = []
    private var free: [Int] = []

    /// How many elements there are.
    var count: Int { elements.count - free.count }

    mutating func insert(_ element: Element) -> Int {
        if let slot = free.popLast() {
            elements[slot] = element
            return slot
        }
        elements.append(element)
        return elements.count - 1
    }

    mutating func remove(_ slot: Int) {
        elements[slot] = nil
        free.append(slot)
    }

    subscript(slot: Int) -> Element? { elements[slot] }

    /// All elements there are.
    var all: [Element] { elements.compactMap { $0 } }
}
#endif
