// SPDX-License-Identifier: MIT

/// A list that mostly has one element, which it holds without an allocation.
struct ShortList<Element>: Sequence {
    private(set) var first: Element?
    private var rest: [Element] = []

    var isEmpty: Bool { first == nil }
    var last: Element? { rest.last ?? first }

    mutating func append(_ element: Element) {
        if first == nil { first = element } else { rest.append(element) }
    }

    struct Iterator: IteratorProtocol {
        fileprivate var first: Element?
        fileprivate var rest: IndexingIterator<[Element]>

        mutating func next() -> Element? { first.take() ?? rest.next() }
    }

    func makeIterator() -> Iterator { Iterator(first: first, rest: rest.makeIterator()) }
}
