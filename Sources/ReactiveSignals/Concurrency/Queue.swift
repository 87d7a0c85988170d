// SPDX-License-Identifier: MIT

/// Elements that are taken in the order in which they came. What was taken is not kept.
struct Queue<Element> {
    // Those before `start` were taken.
    private var elements = ContiguousArray<Element?>()
    private var start = 0

    var isEmpty: Bool { start == elements.count }

    /// The one that is taken next.
    var first: Element? { isEmpty ? nil : elements[start] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[start].take()
        start += 1
        if isEmpty {
            elements.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 64, start * 2 > elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return element
    }
}
